"""Two hosts on one machine: namespaces with a network of their own, joined by a pair of virtual devices. Needs root.

    tests/mpi/network.py [--rate 10gbit] [--ranks 4] mpich PROGRAM [ARGUMENTS...]

runs a program with Open MPI ("openmpi") or MPICH, of whose ranks every second one is on the other host: between hosts they
have TCP alone. --rate limits what each host sends, by the token bucket filter of tc.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager, suppress
from pathlib import Path

ADDRESSES, DEVICE = ("10.97.0.1", "10.97.0.2"), "joined"
# What both MPIs call to begin their processes on another host: [options] host command.
LAUNCHER = """#!/bin/sh
while [ "${{1#-}}" != "$1" ]; do shift; done
case $1 in {0}) name={2} ;; {1}) name={3} ;; *) echo "no such host: $1" >&2; exit 1 ;; esac
shift
exec ip netns exec $name unshare --uts sh -c "hostname $name; $*"
"""


class Missing(Exception):
    """Why there can be no such hosts here."""


def ip(*words):
    done = subprocess.run(["ip", *words], capture_output=True, text=True)
    if done.returncode != 0:
        raise Missing(f"ip {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


class Hosts:
    """The two hosts, for as long as hosts() lasts."""

    def __init__(self, folder):
        self.names = [f"sv{os.getpid()}{letter}" for letter in "ab"]
        self.launcher = Path(folder) / "launch"
        self.launcher.write_text(LAUNCHER.format(*ADDRESSES, *self.names))
        self.launcher.chmod(0o755)

    def make(self, rate):
        for name in self.names:
            ip("netns", "add", name)
        one, other = self.names
        ip("link", "add", DEVICE, "netns", one, "type", "veth", "peer", "name", DEVICE, "netns", other)
        for name, address in zip(self.names, ADDRESSES, strict=True):
            ip("-n", name, "address", "add", f"{address}/24", "dev", DEVICE)
            for device in DEVICE, "lo":
                ip("-n", name, "link", "set", device, "up")
            if rate:
                ip("netns", "exec", name, "tc", "qdisc", "add", "dev", DEVICE, "root", "tbf", "rate", rate, "burst", "4mb", "latency", "50ms")

        for name in self.names:  # devices carry a while after both are up
            for _ in range(100):
                if "state UP" in ip("-n", name, "link", "show", DEVICE):
                    break
                time.sleep(0.05)

    def end(self):
        for name in self.names:
            with suppress(Missing):
                ip("netns", "delete", name)

    def command(self, mpi, ranks, program):
        """The words that run a program with as many ranks."""
        each = -(-ranks // 2)
        if mpi == "openmpi":
            words = ["mpiexec.openmpi", "--mca", "plm_rsh_agent", self.launcher, "--host", ",".join(f"{host}:{each}" for host in ADDRESSES),
                     "--mca", "btl", "tcp,self,vader", "--mca", "btl_tcp_if_include", DEVICE, "--mca", "oob_tcp_if_include", DEVICE, "--map-by", "node"]
        else:
            words = ["mpiexec.mpich", "-iface", DEVICE, "-launcher", "ssh", "-launcher-exec", self.launcher,
                     "-hosts", ",".join(ADDRESSES), "-ppn", "1", "-genv", "UCX_TLS", "self,tcp", "-genv", "UCX_LOG_LEVEL", "error",
                     "-genv", "UCX_NET_DEVICES", DEVICE]
        inside = 'hostname "$0"; exec "$@"'
        return ["ip", "netns", "exec", self.names[0], "unshare", "--uts", "sh", "-c", inside, self.names[0],
                *map(str, words), "-n", str(ranks), *map(str, program)]


@contextmanager
def hosts(rate=None):
    """Hosts, or Missing."""
    if not all(map(shutil.which, ("ip", "unshare", "hostname"))):
        raise Missing("no ip, unshare or hostname")
    with tempfile.TemporaryDirectory() as folder:
        made = Hosts(folder)
        try:
            made.make(rate)
            yield made
        finally:
            made.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rate", help="such as 10gbit; unlimited otherwise")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("mpi", choices=["openmpi", "mpich"])
    parser.add_argument("program", nargs=argparse.REMAINDER)
    told = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # the hosts are ended then, too
    try:
        with hosts(told.rate) as made:
            sys.exit(subprocess.run(made.command(told.mpi, told.ranks, told.program)).returncode)
    except Missing as reason:
        sys.exit(str(reason))


if __name__ == "__main__":
    main()

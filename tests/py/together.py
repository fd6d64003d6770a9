"""Work on threads that start at once."""

import threading


def together(count, work):
    """Runs work(0), work(1), ... on threads that start at once. Exceptions are raised here."""
    errors, gate = [], threading.Barrier(count)

    def run(number):
        try:
            gate.wait()
            work(number)
        except BaseException as error:
            errors.append(error)
    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]

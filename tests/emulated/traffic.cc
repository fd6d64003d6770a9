#include "traffic.h"

#include <algorithm>
#include <map>
#include <vector>

enum { WARP = 32, SECTOR = 32, BANKS = 32, MOST_THREADS = 1024 };

static std::vector<Access> traces[MOST_THREADS];

// An access of a thread: the kth at its place, so that those of a warp's threads are one request.
struct Numbered {
    uint32_t number;
    Access access;

    bool operator<(const Numbered &other) const
    {
        return access.place != other.access.place ? access.place < other.access.place : number < other.number;
    }

    bool is_of_request(const Numbered &other) const
    {
        return access.place == other.access.place && number == other.number;
    }
};

typedef std::vector<Numbered>::const_iterator Iterator;

void traffic_add(unsigned thread, const Access &access)
{
    traces[thread].push_back(access);
}

static size_t count_distinct(std::vector<uintptr_t> &values)
{
    std::sort(values.begin(), values.end());
    return size_t(std::unique(values.begin(), values.end()) - values.begin());
}

static void count_global(Iterator begin, Iterator end, std::vector<uintptr_t> &block, struct emulated_counts *counts)
{
    const int write = begin->access.write;
    std::vector<uintptr_t> sectors;

    for (Iterator i = begin; i != end; ++i) {
        const Access &access = i->access;

        for (uintptr_t s = access.address / SECTOR; s <= (access.address + access.nbytes - 1) / SECTOR; s++)
            sectors.push_back(s);
        counts->accesses[write]++;
        counts->vectors[write] += access.nbytes == 16;
    }
    block.insert(block.end(), sectors.begin(), sectors.end());
    counts->requests[write]++;
    counts->sectors[write] += count_distinct(sectors);
}

// 128 bytes a wave: accesses of 8 bytes go by half warps, those of 16 by quarters. Words in one bank need a wave each.
static void count_shared(Iterator begin, Iterator end, struct emulated_counts *counts)
{
    const uint32_t nbytes = begin->access.nbytes;
    const int write = begin->access.write, lanes = nbytes == 16 ? 8 : nbytes == 8 ? 16 : 32;

    counts->shared[write] += uint64_t(end - begin);

    for (Iterator first = begin; first < end; first += std::min<long>(lanes, end - first)) {
        std::vector<uintptr_t> banks[BANKS];
        size_t most = 0;

        for (Iterator i = first; i < end && i < first + lanes; ++i)
            for (uint32_t byte = 0; byte < nbytes; byte += 4) {
                const uintptr_t word = (i->access.address + byte) / 4;
                std::vector<uintptr_t> &bank = banks[word % BANKS];

                if (std::find(bank.begin(), bank.end(), word) == bank.end())
                    bank.push_back(word);
                most = std::max(most, bank.size());
            }
        counts->waves[write] += most;
        counts->ideal[write]++;
    }
}

static std::vector<Numbered> number(unsigned first, unsigned last)
{
    std::vector<Numbered> all;

    for (unsigned thread = first; thread < last; thread++) {
        std::map<uintptr_t, uint32_t> seen;

        for (const Access &access : traces[thread])
            all.push_back({seen[access.place]++, access});
        traces[thread].clear();
    }
    std::stable_sort(all.begin(), all.end());
    return all;
}

void traffic_count(unsigned threads, struct emulated_counts *counts)
{
    std::vector<uintptr_t> block[2];

    for (unsigned warp = 0; warp < threads; warp += WARP) {
        const std::vector<Numbered> all = number(warp, std::min<unsigned>(threads, warp + WARP));

        for (Iterator begin = all.begin(), end; begin != all.end(); begin = end) {
            end = std::find_if(begin, all.end(), [begin](const Numbered &x) { return !x.is_of_request(*begin); });
            if (begin->access.shared)
                count_shared(begin, end, counts);
            else
                count_global(begin, end, block[begin->access.write], counts);
        }
    }
    for (int write = 0; write < 2; write++)
        counts->block[write] += count_distinct(block[write]);
}

/*
 * Accesses of the host, by page protection. Memory of devices is not the host's, unless a test says so; pinned,
 * registered and managed pages are read-only while an operation that the host has not waited for reads them, and closed
 * while one writes them. An access that is caught is noted as a fault, its page is opened, and the program goes on.
 */
#define _GNU_SOURCE /* SA_NODEFER, MAP_ANONYMOUS */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "fake/runtime.h"

static struct sigaction before;
static volatile sig_atomic_t caught;
static char *trial; /* a page that is touched to see whether protection works */

/* --- protection ------------------------------------------------------------------ */

static bool is_hosts(const struct fake_region *r)
{
    if (r->dead)
        return false;
    if (r->kind == HELD_DEVICE && fake.open_devices)
        return true;
    if (r->pool != NULL)
        return r->pool->access[FAKE_DEVICES] == cudaMemAccessFlagsProtReadWrite;
    return r->kind == HELD_PINNED || r->kind == HELD_REGISTERED ||
           (r->kind == HELD_MANAGED && fake.kernels == 0);
}

static int protection(const struct fake_region *r, size_t page)
{
    if (!is_hosts(r) || r->users[page].writers > 0)
        return PROT_NONE;
    return r->users[page].readers > 0 ? PROT_READ : PROT_READ | PROT_WRITE;
}

/* Pages that change alike and follow each other are changed at once. open: whatever uses them. */
static void protect(struct fake_region *r, size_t first, size_t count, bool open)
{
    const size_t end = first + count;

    while (fake.protects && first < end) {
        const int how = open ? PROT_READ | PROT_WRITE : protection(r, first);
        size_t next = first;

        for (; next < end && (open || protection(r, next) == how) && r->users[next].how != how + 1; next++)
            r->users[next].how = (uint8_t)(how + 1);
        if (next > first)
            mprotect(r->pages + first * fake_page(), (next - first) * fake_page(), how);
        first = next > first ? next : first + 1;
    }
}

void fake_protect(struct fake_region *r, size_t first, size_t count)
{
    protect(r, first, count, false);
}

/* The whole pages of a region that a span has, or parts of. */
static bool pages_of(const struct fake_region *r, const struct fake_span *span, size_t *first, size_t *count)
{
    const uintptr_t from = (uintptr_t)r->pages, to = from + r->npages * fake_page();
    const uintptr_t low = span->from > from ? span->from : from, high = span->to < to ? span->to : to;

    if (r->pages == NULL || low >= high)
        return false;
    *first = (low - from) / fake_page();
    *count = (high - 1 - from) / fake_page() - *first + 1;
    return true;
}

/* What has the bytes of an address: of an alias its owner. */
static struct fake_region *holder(const struct fake_span *span, struct fake_span *out)
{
    struct fake_region *r = fake_find((void *)span->from);
    uintptr_t at;

    *out = *span;
    if (r == NULL || r->whose == NULL)
        return r;
    at = (uintptr_t)r->whose->at + (span->from - (uintptr_t)r->at);
    *out = (struct fake_span){at, at + (span->to - span->from)};
    return r->whose;
}

static void use(const struct fake_spans *spans, bool write, int by)
{
    for (size_t i = 0; i < spans->count; i++) {
        struct fake_span span;
        struct fake_region *r = holder(&spans->at[i], &span);
        size_t first, count;

        if (r == NULL || !pages_of(r, &span, &first, &count))
            continue;
        for (size_t page = first; page < first + count; page++)
            if (write)
                r->users[page].writers = (uint16_t)(r->users[page].writers + by);
            else
                r->users[page].readers = (uint16_t)(r->users[page].readers + by);
        fake_protect(r, first, count);
    }
}

static void protect_all(enum fake_kind kind)
{
    for (struct fake_region *r = fake.regions; r != NULL; r = r->next)
        if (r->kind == kind)
            fake_protect(r, 0, r->npages);
}

void fake_open_devices(bool open)
{
    fake_lock();
    fake.open_devices = open;
    protect_all(HELD_DEVICE);
    fake_unlock();
}

void fake_use(const struct fake_operation *o, int by)
{
    use(&o->reads, false, by);
    use(&o->writes, true, by);
    if (o->kernel && fake.attributes[o->device][cudaDevAttrConcurrentManagedAccess] == 0) {
        fake.kernels += by;
        protect_all(HELD_MANAGED);
    }
}

static void open_spans(const struct fake_spans *spans, bool open)
{
    for (size_t i = 0; i < spans->count; i++) {
        struct fake_span span;
        struct fake_region *r = holder(&spans->at[i], &span);
        size_t first, count;

        if (r != NULL && pages_of(r, &span, &first, &count))
            protect(r, first, count, open);
    }
}

void fake_open(const struct fake_operation *o, bool open)
{
    open_spans(&o->reads, open);
    open_spans(&o->writes, open);
}

/* --- faults ------------------------------------------------------------------------ */

static const char *const kinds[] = {"device", "pinned", "registered", "managed", "imported"};

static struct fake_region *mapped_at(struct fake_region *list, const char *p)
{
    for (struct fake_region *r = list; r != NULL; r = r->next)
        if (r->map != NULL ? p >= r->map && p < r->map + r->map_nbytes
                           : p >= r->pages && p < r->pages + r->npages * fake_page())
            return r;
    return NULL;
}

static void tell(const struct fake_region *r, const char *p)
{
    const size_t page = (size_t)(p - r->pages) / fake_page();
    const struct fake_users *users = page < r->npages ? &r->users[page] : NULL;

    if (r->dead)
        fake_fault("the host touches %s memory at +%td that was freed", kinds[r->kind], p - r->at);
    else if (users == NULL || p < r->at || p >= r->at + r->nbytes)
        fake_fault("the host touches what lies around %s memory of %zu bytes, at %+td", kinds[r->kind], r->nbytes,
                   p - r->at);
    else if (users->readers + users->writers > 0)
        fake_fault("the host touches %s memory at +%td that unfinished operations use: %d read, %d write",
                   kinds[r->kind], p - r->at, users->readers, users->writers);
    else if (r->kind == HELD_MANAGED)
        fake_fault("the host touches managed memory at +%td while a kernel may run", p - r->at);
    else
        fake_fault("the host touches %s memory at +%td", kinds[r->kind], p - r->at);
}

static void on_fault(int number, siginfo_t *info, void *context)
{
    char *p = info->si_addr, *page = (char *)((uintptr_t)p & ~(uintptr_t)(fake_page() - 1));
    struct fake_region *r;

    (void)context;
    if (trial != NULL && page == trial) {
        caught = 1;
        mprotect(trial, fake_page(), PROT_READ | PROT_WRITE);
        return;
    }
    fake_lock();
    r = mapped_at(fake.regions, p);
    if (r == NULL)
        r = mapped_at(fake.graves, p);
    if (r == NULL) /* somebody else's: it is met again at once */
        sigaction(number, &before, NULL);
    else {
        tell(r, p);
        mprotect(page, fake_page(), PROT_READ | PROT_WRITE);
        if (page < r->pages + r->npages * fake_page())
            r->users[(page - r->pages) / fake_page()].how = 0;
    }
    fake_unlock();
}

/* --- start and end ------------------------------------------------------------------ */

static bool works(void)
{
    trial = mmap(NULL, fake_page(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (trial == MAP_FAILED)
        return false;
    caught = 0;
    *(volatile char *)trial = 1;
    munmap(trial, fake_page());
    trial = NULL;
    return caught != 0;
}

void fake_start_pages(void)
{
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER};

    sigaction(SIGSEGV, &action, &before);
    fake.protects = getenv("FAKE_WITHOUT_PAGES") == NULL && works();
}

void fake_end_pages(void)
{
    fake_clear_graves(0);
    sigaction(SIGSEGV, &before, NULL);
}

bool fake_protects(void)
{
    return fake.protects;
}

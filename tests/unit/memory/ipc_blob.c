/* The bytes that tell another process of memory: what is no blob is refused before a driver sees any of it. */
#include "unit/memory/ipc.h"

TestSuite(ipc_blob, .init = start);

static void expect_refused(const void *blob, size_t length, sv_status status, int row)
{
    sv_buffer *b = NULL;
    const sv_status found = sv_buffer_import_ipc(blob, length, 0, &b);

    cr_expect_eq(found, status, "row %d: %d, %s", row, (int)found, sv_last_message());
    cr_expect_null(b);
}

Test(ipc_blob, every_byte_counts)
{
    static const unsigned char changes[] = {0x01, 0x80, 0xff};

    for (size_t i = 0; i < sizeof piece; i++)
        for (size_t j = 0; j < sizeof changes; j++) {
            unsigned char bytes[sizeof piece];

            memcpy(bytes, &piece, sizeof bytes);
            bytes[i] ^= changes[j];
            expect_refused(bytes, sizeof bytes,
                           i >= offsetof(struct svi_ipc_blob, version) && i < offsetof(struct svi_ipc_blob, length)
                               ? SV_ERROR_VERSION
                               : SV_ERROR_PROTOCOL,
                           (int)i);
        }
    cr_expect_eq(fake_calls(), 0, "the driver saw some of it: %s", fake_log());
    finish();
}

Test(ipc_blob, another_length)
{
    char bytes[sizeof piece + 1] = "";

    memcpy(bytes, &piece, sizeof piece);
    for (size_t length = 0; length <= sizeof bytes; length++)
        if (length != sizeof piece)
            expect_refused(bytes, length, SV_ERROR_PROTOCOL, (int)length);
    expect_refused(bytes, SIZE_MAX, SV_ERROR_PROTOCOL, -1);
    expect_refused(NULL, sizeof piece, SV_ERROR_NULL, -1);
    cr_expect_eq(sv_buffer_import_ipc(&piece, sizeof piece, 0, NULL), SV_ERROR_NULL);
    cr_expect_eq(sv_buffer_import_ipc(&piece, sizeof piece, SV_BUFFER_ZERO, &part), SV_ERROR_INVALID);
    cr_expect_eq(fake_calls(), 0, "%s", fake_log());
    finish();
}

/* Whole blobs, with a checksum that is right, that tell of what cannot be. */
Test(ipc_blob, fields_that_cannot_be)
{
    static const struct {
        size_t at;
        int64_t value;
        size_t nbytes;
        sv_status status;
    } cases[] = {
#define FIELD(name, value, status) {offsetof(struct svi_ipc_blob, name), value, sizeof piece.name, status}
        FIELD(version, 0, SV_ERROR_VERSION),
        FIELD(version, 2, SV_ERROR_VERSION),
        FIELD(length, 159, SV_ERROR_PROTOCOL),
        FIELD(kind, SV_MEMORY_HOST, SV_ERROR_PROTOCOL),
        FIELD(kind, SV_MEMORY_MANAGED, SV_ERROR_PROTOCOL),
        FIELD(kind, -1, SV_ERROR_PROTOCOL),
        FIELD(flags, 2, SV_ERROR_PROTOCOL),
        FIELD(flags, -1, SV_ERROR_PROTOCOL),
        FIELD(process.id, 0, SV_ERROR_PROTOCOL),
        FIELD(process.id, -1, SV_ERROR_PROTOCOL),
        FIELD(offset, -1, SV_ERROR_PROTOCOL),
        FIELD(offset, INT64_MAX, SV_ERROR_PROTOCOL),
        FIELD(offset, INT64_MIN, SV_ERROR_PROTOCOL),
        FIELD(nbytes, -1, SV_ERROR_PROTOCOL),
        FIELD(nbytes, 0, SV_ERROR_PROTOCOL),
        FIELD(nbytes, INT64_MAX, SV_ERROR_PROTOCOL),
        FIELD(capacity, OFFSET, SV_ERROR_PROTOCOL),
        FIELD(capacity, 0, SV_ERROR_PROTOCOL),
        FIELD(capacity, -1, SV_ERROR_PROTOCOL),
        FIELD(serial, 0, SV_ERROR_PROTOCOL),
        FIELD(serial, -5, SV_ERROR_PROTOCOL),
#undef FIELD
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct svi_ipc_blob blob = piece;

        memcpy((char *)&blob + cases[i].at, &cases[i].value, cases[i].nbytes); /* of a little-endian machine */
        svi_ipc_seal(&blob);
        expect_refused(&blob, sizeof blob, cases[i].status, (int)i);
    }
    cr_expect_eq(fake_calls(), 0, "%s", fake_log());
    finish();
}

Test(ipc_blob, another_device)
{
    memset(piece.uuid, 0x77, sizeof piece.uuid);
    svi_ipc_seal(&piece);
    expect_refused(&piece, sizeof piece, SV_ERROR_DEVICE, 0);
    cr_expect_eq(fake_count(FAKE_CALL(ipc_open)), 0);
    finish();
}

/* Whole blobs of one that can write checksums, too: the driver opens the memory, and knows how large it is. */
Test(ipc_blob, a_size_that_the_memory_does_not_have)
{
    const struct {
        int64_t offset, nbytes, capacity;
        sv_status status;
    } cases[] = {
        {0, INT64_C(1) << 40, INT64_C(1) << 40, SV_ERROR_PROTOCOL},
        {0, 1, INT64_MAX, SV_ERROR_PROTOCOL},
        {INT64_MAX - 1, 1, INT64_MAX, SV_ERROR_PROTOCOL},
        {whole.capacity, 1, whole.capacity + 1, SV_ERROR_PROTOCOL},
        {0, whole.capacity + 1, whole.capacity + 1, SV_ERROR_PROTOCOL},
        {0, whole.capacity, whole.capacity, SV_OK},
        {1, 1, 2, SV_OK},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct svi_ipc_blob blob = whole;
        sv_buffer *b = NULL;

        blob.offset = cases[i].offset;
        blob.nbytes = cases[i].nbytes;
        blob.capacity = cases[i].capacity;
        svi_ipc_seal(&blob);
        fake_reset();
        cr_expect_eq(sv_buffer_import_ipc(&blob, sizeof blob, 0, &b), cases[i].status, "row %zu: %s", i,
                     sv_last_message());
        cr_expect_eq(b != NULL, cases[i].status == SV_OK, "row %zu", i);
        sv_buffer_release(b);
        cr_expect_eq(settle(), SV_OK);
        cr_expect(fake_count(FAKE_CALL(ipc_open)) == 1 && fake_count(FAKE_CALL(ipc_close)) == 1, "row %zu", i);
    }
    finish();
}

/* A mapping that is there already has the size that the driver told when it was opened. */
Test(ipc_blob, a_size_that_an_opened_mapping_does_not_have)
{
    struct svi_ipc_blob blob = whole;
    sv_buffer *first = import(&whole, 0), *b = NULL;

    blob.offset = whole.capacity;
    blob.nbytes = 1;
    blob.capacity = INT64_MAX;
    svi_ipc_seal(&blob);
    cr_expect_eq(sv_buffer_import_ipc(&blob, sizeof blob, 0, &b), SV_ERROR_PROTOCOL, "%s", sv_last_message());
    cr_expect_null(b);
    sv_buffer_release(first);
    finish();
}

Test(ipc_blob, a_handle_that_the_driver_does_not_know)
{
    piece.handle[0] ^= 1;
    svi_ipc_seal(&piece);
    expect_refused(&piece, sizeof piece, SV_ERROR_CUDA, 0);
    finish();
}

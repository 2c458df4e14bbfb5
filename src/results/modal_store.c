#define _POSIX_C_SOURCE 200809L
#include "results/modal_store.h"

#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "results/files.h"
#include "support/arena.h"
#include "support/clock.h"
#include "support/sha256.h"
#include "support/stop.h"
#include "support/text.h"

/* also part of the key: another layout, or another way to compute, is another file */
static const char magic[16] = "sg modes 1";

enum { PATH_BYTES = 4096 };

struct head {
    char magic[sizeof magic];
    char key[SG_SHA256_HEX + 7]; /* of the matrices; a multiple of 8 with its zeros */
    uint64_t n, blocks;
};

/* one basis on its way from or to its file */
struct place {
    struct sg_modal_store *store;
    const struct sg_matrix *m, *k;
    char key[SG_SHA256_HEX];
    char file[PATH_BYTES], lock[PATH_BYTES];
};

/* --- the key -------------------------------------------------------------------------------------- */

static bool add_matrix(struct sg_text *bytes, const struct sg_matrix *a)
{
    struct sg_arena scratch = {0};
    struct sg_triplets t = {.arena = &scratch, .n = a->n};
    sg_matrix_to_triplets(a, &t);
    bool whole = !t.failed;
    sg_text_append_bytes(bytes, (const char *)&t.n, sizeof t.n);
    sg_text_append_bytes(bytes, (const char *)&t.count, sizeof t.count);
    if (whole && t.count > 0) {
        sg_text_append_bytes(bytes, (const char *)t.row, t.count * sizeof *t.row);
        sg_text_append_bytes(bytes, (const char *)t.column, t.count * sizeof *t.column);
        sg_text_append_bytes(bytes, (const char *)t.value, t.count * sizeof *t.value);
    }
    sg_arena_release(&scratch);
    return whole;
}

/* false: no memory for it, or no path */
static bool find_place(struct place *place)
{
    struct sg_text bytes = {0};
    sg_text_append_bytes(&bytes, magic, sizeof magic);
    bool whole = add_matrix(&bytes, place->m) && add_matrix(&bytes, place->k) && !bytes.failed;
    if (whole) sg_sha256(bytes.data, bytes.length, place->key);
    sg_text_release(&bytes);
    if (!whole) return false;
    const char *folder = place->store->folder;
    int length = snprintf(place->file, PATH_BYTES, "%s/%s.modes", folder, place->key);
    snprintf(place->lock, PATH_BYTES, "%s/%s.lock", folder, place->key);
    return length < PATH_BYTES;
}

/* --- the sum -------------------------------------------------------------------------------------- */

/* Against damage, not malice, and so faster than SHA-256 by an order, which for thousands of runs of a large
 * model counts: four lanes of 64 bits. Each step is one-to-one, so that no change of one word can hide. */
struct sum {
    uint64_t lane[4];
    uint64_t pending[4]; /* bytes of a group that is not whole */
    size_t pending_bytes;
};

static struct sum sum_begin(size_t length)
{
    return (struct sum){.lane = {1, 2, 3, length}};
}

static void mix(struct sum *sum, const uint64_t word[4])
{
    for (int i = 0; i < 4; i++) {
        uint64_t x = (sum->lane[i] ^ word[i]) * UINT64_C(0x9e3779b97f4a7c15);
        sum->lane[i] = x ^ (x >> 32);
    }
}

static void sum_add(struct sum *sum, const char *bytes, size_t length)
{
    uint64_t word[4];
    while (length > 0) {
        if (sum->pending_bytes == 0 && length >= sizeof word) {
            memcpy(word, bytes, sizeof word);
            mix(sum, word);
            bytes += sizeof word;
            length -= sizeof word;
            continue;
        }
        size_t room = sizeof sum->pending - sum->pending_bytes, part = length < room ? length : room;
        memcpy((char *)sum->pending + sum->pending_bytes, bytes, part);
        sum->pending_bytes += part;
        bytes += part;
        length -= part;
        if (sum->pending_bytes < sizeof sum->pending) return;
        mix(sum, sum->pending);
        sum->pending_bytes = 0;
    }
}

/* the last group is filled up with zeros */
static void sum_end(struct sum *sum)
{
    if (sum->pending_bytes == 0) return;
    memset((char *)sum->pending + sum->pending_bytes, 0, sizeof sum->pending - sum->pending_bytes);
    mix(sum, sum->pending);
    sum->pending_bytes = 0;
}

/* --- reading -------------------------------------------------------------------------------------- */

/* A file being read, straight into where its numbers belong. */
struct cursor {
    struct sg_arena *arena; /* gets what is read */
    FILE *file;
    size_t left; /* bytes before the sum at the end */
    struct sum sum;
};

static bool take(struct cursor *cursor, void *out, size_t bytes)
{
    if (cursor->left < bytes || fread(out, 1, bytes, cursor->file) != bytes) return false;
    sum_add(&cursor->sum, out, bytes);
    cursor->left -= bytes;
    return true;
}

static bool take_block(struct cursor *cursor, struct sg_modal_block *block, size_t n)
{
    struct sg_error none;
    uint64_t size = 0;
    sg_error_clear(&none);
    if (!take(cursor, &size, sizeof size) || size > n) return false;
    block->size = (size_t)size;
    size_t square = block->size * block->size;
    /* nothing is asked for that the file does not have */
    if (cursor->left / sizeof(double) < 2 * square) return false;
    if (SG_ARENA_NEW(cursor->arena, &block->dof, block->size, &none) != SG_OK ||
        SG_ARENA_NEW_STREAMED(cursor->arena, &block->phi, square, &none) != SG_OK ||
        SG_ARENA_NEW_STREAMED(cursor->arena, &block->mphi, square, &none) != SG_OK)
        return false;
    return take(cursor, block->dof, block->size * sizeof *block->dof) &&
           take(cursor, block->phi, square * sizeof *block->phi) &&
           take(cursor, block->mphi, square * sizeof *block->mphi);
}

static bool take_blocks(struct cursor *cursor, struct sg_modal *modal)
{
    size_t first = 0;
    for (size_t b = 0; b < modal->block_count; b++) {
        struct sg_modal_block *block = &modal->blocks[b];
        if (!take_block(cursor, block, modal->n)) return false;
        block->first = first;
        first += block->size;
        for (size_t i = 0; i < block->size; i++)
            if (block->dof[i] >= modal->n) return false;
    }
    return first == modal->n;
}

static bool take_all(struct cursor *cursor, const struct place *place, struct sg_modal *modal)
{
    struct head head;
    struct sg_error none;
    sg_error_clear(&none);
    if (!take(cursor, &head, sizeof head) || memcmp(head.magic, magic, sizeof magic) != 0) return false;
    if (memcmp(head.key, place->key, SG_SHA256_HEX) != 0) return false;
    if (head.n != place->m->n || head.blocks > head.n) return false;
    modal->n = (size_t)head.n;
    modal->block_count = (size_t)head.blocks;
    if (SG_ARENA_NEW(cursor->arena, &modal->k, modal->n, &none) != SG_OK ||
        SG_ARENA_NEW(cursor->arena, &modal->blocks, modal->block_count, &none) != SG_OK)
        return false;
    return take(cursor, modal->k, modal->n * sizeof *modal->k) && take_blocks(cursor, modal);
}

/* the last bytes are the sum of all before them */
static bool is_sound(struct cursor *cursor)
{
    uint64_t lane[4];
    sum_end(&cursor->sum);
    return cursor->left == 0 && fread(lane, 1, sizeof lane, cursor->file) == sizeof lane &&
           memcmp(lane, cursor->sum.lane, sizeof lane) == 0;
}

static bool open_file(struct sg_arena *arena, const char *path, struct cursor *cursor)
{
    struct stat info;
    *cursor = (struct cursor){.arena = arena, .file = fopen(path, "rbe")};
    if (cursor->file == NULL) return false;
    if (fstat(fileno(cursor->file), &info) != 0 || !S_ISREG(info.st_mode)) return false;
    if (info.st_size < (off_t)sizeof cursor->sum.lane) return false;
    cursor->left = (size_t)info.st_size - sizeof cursor->sum.lane;
    cursor->sum = sum_begin(cursor->left);
    return true;
}

/* NULL where there is no file, or none that can be trusted; the arena is empty then */
static struct sg_modal *read_back(struct sg_arena *arena, const struct place *place)
{
    struct sg_error none;
    struct sg_modal *modal = NULL;
    struct cursor cursor;
    sg_error_clear(&none);
    bool good = open_file(arena, place->file, &cursor) && SG_ARENA_NEW(arena, &modal, 1, &none) == SG_OK &&
                take_all(&cursor, place, modal) && is_sound(&cursor);
    if (cursor.file != NULL) fclose(cursor.file);
    if (good) return modal;
    sg_arena_release(arena);
    return NULL;
}

/* --- writing -------------------------------------------------------------------------------------- */

static void put_all(const struct place *place, const struct sg_modal *modal, struct sg_text *bytes)
{
    struct head head;
    memset(&head, 0, sizeof head);
    memcpy(head.magic, magic, sizeof magic);
    memcpy(head.key, place->key, SG_SHA256_HEX);
    head.n = modal->n;
    head.blocks = modal->block_count;
    sg_text_append_bytes(bytes, (const char *)&head, sizeof head);
    sg_text_append_bytes(bytes, (const char *)modal->k, modal->n * sizeof *modal->k);
    for (size_t b = 0; b < modal->block_count; b++) {
        const struct sg_modal_block *block = &modal->blocks[b];
        uint64_t size = block->size;
        size_t square = block->size * block->size;
        sg_text_append_bytes(bytes, (const char *)&size, sizeof size);
        sg_text_append_bytes(bytes, (const char *)block->dof, block->size * sizeof *block->dof);
        sg_text_append_bytes(bytes, (const char *)block->phi, square * sizeof *block->phi);
        sg_text_append_bytes(bytes, (const char *)block->mphi, square * sizeof *block->mphi);
    }
    if (bytes->failed) return;
    struct sum sum = sum_begin(bytes->length);
    sum_add(&sum, bytes->data, bytes->length);
    sum_end(&sum);
    sg_text_append_bytes(bytes, (const char *)sum.lane, sizeof sum.lane);
}

static double bytes_in(const char *folder)
{
    DIR *open = opendir(folder);
    double bytes = 0.0;
    for (struct dirent *entry = open != NULL ? readdir(open) : NULL; entry != NULL; entry = readdir(open)) {
        char path[PATH_BYTES];
        struct stat info;
        int length = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (length < PATH_BYTES && stat(path, &info) == 0) bytes += (double)info.st_size;
    }
    if (open != NULL) closedir(open);
    return bytes;
}

/* A basis that can't be kept is computed again next time. */
static void keep(const struct place *place, const struct sg_modal *modal)
{
    struct sg_text bytes = {0};
    struct sg_error none;
    char fresh[PATH_BYTES + 32];
    sg_error_clear(&none);
    put_all(place, modal, &bytes);
    snprintf(fresh, sizeof fresh, "%s.%ld", place->file, (long)getpid());
    bool room =
        !bytes.failed && bytes_in(place->store->folder) + (double)bytes.length <= SG_MODAL_STORE_BYTES;
    FILE *file = room ? fopen(fresh, "wbe") : NULL;
    bool written = file != NULL && fwrite(bytes.data, 1, bytes.length, file) == bytes.length;
    if (file != NULL) written = fclose(file) == 0 && written;
    sg_text_release(&bytes);
    if (written) written = sg_file_publish(fresh, place->file, &none) == SG_OK;
    if (file != NULL && !written) unlink(fresh);
}

/* --- together ------------------------------------------------------------------------------------- */

/* SG_OK with lock < 0: no lock is to be had, nor worth waiting for */
static sg_status lock_or_read(struct sg_arena *arena, const struct place *place, int *lock,
                              struct sg_modal **modal, struct sg_error *err)
{
    const struct timespec pause = {0, 20000000};
    struct sg_error none;
    for (int absent = 0;;) {
        sg_error_clear(&none);
        sg_status taken = sg_lock_take(place->lock, lock, &none);
        /* also with the lock: whoever had it may have left the file */
        *modal = read_back(arena, place);
        /* a lock that is refused and yet not there has just been let go of, or can't be made at all */
        absent += access(place->lock, F_OK) != 0 ? 1 : 0;
        if (*modal != NULL || taken == SG_OK || absent > 5) return SG_OK;
        if (sg_stop_requested()) FAIL(err, SG_INTERRUPTED, "interrupted");
        nanosleep(&pause, NULL);
    }
}

static sg_status create_kept(struct sg_arena *arena, struct sg_modal_store *store, const struct sg_matrix *m,
                             const struct sg_matrix *k, struct sg_modal **modal, struct sg_error *err)
{
    struct place place = {.store = store, .m = m, .k = k};
    struct sg_arena *inner = NULL;
    int lock = -1;
    TRY(sg_arena_open(arena, &inner, err));
    if (!find_place(&place)) return sg_modal_create(arena, m, k, modal, err);
    mkdir(store->folder, 0777); /* where that fails nothing is kept */
    *modal = read_back(inner, &place);
    sg_status status = SG_OK;
    if (*modal == NULL) status = lock_or_read(inner, &place, &lock, modal, err);
    store->cached = *modal != NULL;
    if (status == SG_OK && *modal == NULL) {
        status = sg_modal_create(arena, m, k, modal, err);
        if (status == SG_OK) keep(&place, *modal);
    }
    sg_lock_release(place.lock, lock);
    return status;
}

sg_status sg_modal_store_create(struct sg_arena *arena, struct sg_modal_store *store,
                                const struct sg_matrix *m, const struct sg_matrix *k, struct sg_modal **modal,
                                struct sg_error *err)
{
    double start = sg_wall_clock();
    *modal = NULL;
    store->cached = false;
    bool kept = store->folder != NULL && m->n >= SG_MODAL_STORE_LEAST;
    sg_status status =
        kept ? create_kept(arena, store, m, k, modal, err) : sg_modal_create(arena, m, k, modal, err);
    store->seconds = sg_wall_clock() - start;
    return status;
}

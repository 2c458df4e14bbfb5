/* How hot loops get the processor's wide vectors without -march=native.
 *
 * A function marked SG_HOT is compiled twice, for AVX2 and for the baseline, and the loader picks once
 * (GNU indirect functions). Neither has fused multiply-adds, but sums are split into different numbers
 * of lanes, so that last bits differ between the two: sg_kernels_name tells which one ran. */
#ifndef SG_LINALG_KERNELS_H
#define SG_LINALG_KERNELS_H

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SG_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SG_SANITIZED 1
#endif

/* Indirect functions run before a sanitizer's runtime is up; clang vectorises the clones poorly; a static
 * analyser that can't look through them is run with -DSG_PLAIN_KERNELS. */
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) &&             \
    !defined(SG_SANITIZED) && !defined(SG_PLAIN_KERNELS)
#define SG_HOT        __attribute__((target_clones("avx2", "default")))
#define SG_HOT_CLONES 1
#else
#define SG_HOT
#define SG_HOT_CLONES 0
#endif

#ifdef __clang__
/* an `omp simd` that clang leaves scalar is slower, not wrong */
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

/* "avx2" or "baseline" */
const char *sg_kernels_name(void);

#endif

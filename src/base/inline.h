/* Functions that are always inlined, in C and on a device alike. */
#ifndef SVI_INLINE_H
#define SVI_INLINE_H

#ifdef __CUDACC__
#define SVI_INLINE static __device__ __forceinline__
#else
#define SVI_INLINE static inline __attribute__((always_inline))
#endif

#endif

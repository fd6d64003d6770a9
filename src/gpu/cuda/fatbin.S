/* What nvcc made of kernels.cu. The path is from the build directory. */
    .section .rodata
    .balign 64
    .globl svi_fatbin
    .hidden svi_fatbin
    .type svi_fatbin, %object
svi_fatbin:
    .incbin "src/gpu/cuda/kernels.fatbin"
    .size svi_fatbin, . - svi_fatbin
    .section .note.GNU-stack, "", %progbits

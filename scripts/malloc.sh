# How glibc gives out memory: read by the scripts that start the program, which have its command as their first argument.
#
# It would raise these by itself with each large block that is freed, and then keep large blocks among small ones, where they
# leave holes, and the memory of a server goes on growing. Fixed, large blocks, as most pages are, go back to the
# system when they are freed; for servers, which live long, and the loads that they start, also those in which stored numbers are
# read. And small blocks have one heap for four cores: each has its own holes.
case ${1-} in serve) large=8192 ;; *) large=16384 ;; esac
heaps=$(( ($(nproc 2>/dev/null || echo 1) + 3) / 4 ))
export MALLOC_MMAP_THRESHOLD_="${MALLOC_MMAP_THRESHOLD_:-$large}" MALLOC_TRIM_THRESHOLD_="${MALLOC_TRIM_THRESHOLD_:-131072}"
export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-$heaps}"

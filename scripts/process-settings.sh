# Settings of a process that Node cannot change once it runs: read by the scripts that start the program, which have its command as
# their first argument.
#
# How glibc gives out memory. It would raise these by itself with each large block that is freed, and then keep large blocks among
# small ones, where they leave holes, and the memory of a server goes on growing. Fixed, large blocks, as most pages are, go back to the
# system when they are freed; for servers, which live long, and the loads that they start, also those in which stored numbers are
# read. And small blocks have one heap for four cores: each has its own holes.
fourths=$(( ($(nproc 2>/dev/null || echo 1) + 3) / 4 ))
case ${1-} in
  serve) large=8192 helpers=$fourths collection=--no-parallel-scavenge ;;
  *) large=16384 helpers=4 collection= ;;
esac
export MALLOC_MMAP_THRESHOLD_="${MALLOC_MMAP_THRESHOLD_:-$large}" MALLOC_TRIM_THRESHOLD_="${MALLOC_TRIM_THRESHOLD_:-131072}"
export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-$fourths}"
# A server has a thread per core. The threads that help V8 to collect garbage, four by default, would take the cores from them; and a
# thread that collects its young objects would wait until a helper gets a core.
node_options="--disable-warning=ExperimentalWarning $collection --v8-pool-size=$helpers"

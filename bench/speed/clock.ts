/**
 * Time of the processor that this thread had, in milliseconds. All workloads are work of one thread that waits for nothing, so on an idle
 * machine this is the time that passes; on a busy one the time of others is not in it.
 */
export const cpuClock: { readonly now: () => number } = {
  now: () => {
    // Linux brings the time of a thread up to date only when that of the whole process is asked for; otherwise it moves in ticks of 4 ms.
    process.cpuUsage();
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  },
};

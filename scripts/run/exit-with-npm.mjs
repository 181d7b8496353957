const LOOK_EVERY = 100

/**
 * Treats the loss of the parent process as SIGTERM under npm: npm ends the shell that runs a script, and the shell
 * forwards no signal. Outside npm, a lost parent may only mean a background process after logout.
 */
export function stopWithCaller() {
  if (process.env.npm_lifecycle_event === undefined) return
  const caller = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === caller) return
    clearInterval(watch)
    process.kill(process.pid, "SIGTERM")
  }, LOOK_EVERY)
  // The timer must not keep the process alive.
  watch.unref()
}

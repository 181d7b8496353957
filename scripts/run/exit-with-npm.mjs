const LOOK_EVERY = 100

/**
 * Told to stop, npm ends the shell through which it runs a script, and the shell passes nothing on. Under npm, having
 * lost the caller therefore means the same as SIGTERM. Elsewhere it does not: somebody may have sent us to the
 * background and logged out.
 */
export function stopWithCaller() {
  if (process.env.npm_lifecycle_event === undefined) return
  const caller = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === caller) return
    clearInterval(watch)
    process.kill(process.pid, "SIGTERM")
  }, LOOK_EVERY)
  // Watching alone is no reason to stay.
  watch.unref()
}

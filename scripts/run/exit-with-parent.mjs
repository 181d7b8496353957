// Preloaded by `spawnWithLifeline` into a program that must not outlive its parent. The IPC channel between the two closes
// even on `kill -9` of the parent; the program then receives SIGTERM, as from an operator.
if (process.env.EXIT_WITH_PARENT) {
  // Worker threads and child processes inherit the Node options, but their channel is of another kind.
  delete process.env.EXIT_WITH_PARENT
  process.once("disconnect", () => process.kill(process.pid, "SIGTERM"))
  // The channel's listener must not keep a finished program alive.
  process.channel?.unref()
}

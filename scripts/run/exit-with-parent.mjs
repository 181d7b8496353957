// Preloaded into a program that must not outlive its parent. The IPC channel closes even on `kill -9` of the parent;
// the program then receives SIGTERM.
// between them closes even on `kill -9`, and the program is then asked to stop as by an operator.
if (process.env.EXIT_WITH_PARENT) {
  // Worker threads and child processes inherit the Node options, but their channel is of another kind.
  delete process.env.EXIT_WITH_PARENT
  process.once("disconnect", () => process.kill(process.pid, "SIGTERM"))
  // The channel's listener must not keep a finished program alive.
  process.channel?.unref()
}

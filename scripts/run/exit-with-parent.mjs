// Loaded before a program that must not outlive the one that started it, however that one ends: the channel
// between them closes even on `kill -9`, and the program is then asked to stop as by an operator.
if (process.env.EXIT_WITH_PARENT) {
  // Programs hand their Node options down to the workers they start. Those have a channel of another kind.
  delete process.env.EXIT_WITH_PARENT
  process.once("disconnect", () => process.kill(process.pid, "SIGTERM"))
  // Listening alone must not keep a program alive that has finished its work.
  process.channel?.unref()
}

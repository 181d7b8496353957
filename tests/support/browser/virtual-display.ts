import { spawn } from "node:child_process"
import { once } from "node:events"
import type { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import { findProgram } from "../../../scripts/setup/find-program.mjs"

/** A screen in memory, for a browser that draws on one. */
export type VirtualDisplay = { readonly name: string; stop(): void }

/** Starts Xvfb on a display that is free. Throws if it does not start. */
export async function startVirtualDisplay(): Promise<VirtualDisplay> {
  const args = ["-displayfd", "3", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"]
  const server = spawn(findProgram("Xvfb") ?? "Xvfb", args, { stdio: ["ignore", "ignore", "ignore", "pipe"] })
  const stop = () => void server.kill("SIGTERM")
  process.once("exit", stop)
  const written = server.stdio[3] as Readable
  const number = await Promise.race([once(written, "data").then(String), text(written)])
  if (number.trim() === "") throw new Error("Xvfb has not started")
  return { name: `:${number.trim()}`, stop }
}

import { createInterface } from "node:readline"
import { Writable } from "node:stream"

type Input = NodeJS.ReadableStream & { readonly isTTY?: boolean }

/** Reads one line from an input; where somebody types it, he is asked for it. Empty when there is none. */
export async function prompt(question: string, input: Input): Promise<string> {
  if (input.isTTY) process.stderr.write(question)
  const lines = createInterface({ input, output: unseen(), terminal: input.isTTY })
  try {
    for await (const line of lines) return line
    return ""
  } finally {
    lines.close()
    if (input.isTTY) process.stderr.write("\n")
  }
}

/** Takes what readline would echo, so that nobody reads along. */
function unseen(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() })
}

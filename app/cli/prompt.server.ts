import { createInterface } from "node:readline"
import { Writable } from "node:stream"

type Input = NodeJS.ReadableStream & { readonly isTTY?: boolean }

/** Reads one line from an input without echo; empty if there is none. Prints the question only on a terminal. */
export async function prompt(message: string, input: Input): Promise<string> {
  if (input.isTTY) process.stderr.write(message)
  const lines = createInterface({ input, output: mutedOutput(), terminal: input.isTTY })
  try {
    for await (const line of lines) return line
    return ""
  } finally {
    lines.close()
    if (input.isTTY) process.stderr.write("\n")
  }
}

/** Discards the characters that readline echoes, so that the password stays hidden. */
function mutedOutput(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() })
}

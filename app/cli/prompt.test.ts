import { PassThrough } from "node:stream"
import { expect, test } from "vitest"
import { prompt } from "./prompt.server"

function piped(text: string): PassThrough {
  const input = new PassThrough()
  input.end(text)
  return input
}

test.each([
  ["one line and its end", "correct horse\n", "correct horse"],
  ["the first of several lines", "correct horse\nbattery\n", "correct horse"],
  ["a line without an end", "correct horse", "correct horse"],
  ["a line from Windows, and the spaces in it", " correct horse \r\n", " correct horse "],
  ["nothing", "", ""],
])("%s is read from what is piped in", async (_, text, line) => {
  expect(await prompt("New password: ", piped(text))).toBe(line)
})

import { PassThrough } from "node:stream"
import { expect, test } from "vitest"
import { prompt } from "./prompt.server"

function piped(text: string): PassThrough {
  const input = new PassThrough()
  input.end(text)
  return input
}

test.each([
  ["one line with a line break", "correct horse\n", "correct horse"],
  ["the first of several lines", "correct horse\nbattery\n", "correct horse"],
  ["a line without a line break", "correct horse", "correct horse"],
  ["a line with CRLF and its outer spaces", " correct horse \r\n", " correct horse "],
  ["nothing", "", ""],
])("prompt reads %s from piped input", async (_, text, line) => {
  expect(await prompt("New password: ", piped(text))).toBe(line)
})

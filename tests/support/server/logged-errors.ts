import { expect } from "playwright/test"
import type { HtmlPage } from "../html/html-page"
import type { TestServer } from "./server-process"

/** Pino's number for "error"; "fatal" is above. */
const ERROR = 50

/** What a shop has logged as an error while it made this answer; waits for the request's own line, its last. */
export async function errorLinesOf(shop: TestServer, { headers }: HtmlPage) {
  const id = headers.get("x-request-id")
  const lines = () => shop.logLines().filter((line) => line.request === id)
  await expect.poll(() => lines().filter(({ msg }) => msg === "request completed")).toHaveLength(1)
  return lines().filter(({ level }) => Number(level) >= ERROR)
}

/** The fixed parts of a text that has places for values. */
export function fixedPartsOf(text: string): string[] {
  return text
    .split(/\{\{[^}]*\}\}/)
    .map((part) => part.trim())
    .filter((part) => part.length > 1)
}

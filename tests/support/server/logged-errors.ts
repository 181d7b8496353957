import { expect } from "playwright/test"
import type { HtmlPage } from "../html/html-page"
import type { TestServer } from "./server-process"

/** Pino's level for "error"; "fatal" is above. */
const ERROR = 50

/** Returns the errors that a shop logged during a request; waits for the request's own line, which is the last. */
export async function errorLinesOf(shop: TestServer, { headers }: HtmlPage) {
  const id = headers.get("x-request-id")
  const lines = () => shop.logLines().filter((line) => line.request === id)
  await expect.poll(() => lines().filter(({ msg }) => msg === "request completed")).toHaveLength(1)
  return lines().filter(({ level }) => Number(level) >= ERROR)
}

/** Returns the constant parts of a text with placeholders. */
export function fixedPartsOf(text: string): string[] {
  return text
    .split(/\{\{[^}]*\}\}/)
    .map((part) => part.trim())
    .filter((part) => part.length > 1)
}

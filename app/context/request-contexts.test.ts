import { getHeapSpaceStatistics } from "node:v8"
import { createContext } from "react-router"
import { expect, test } from "vitest"
import { RequestContexts } from "./request-contexts.server"

const REQUESTS = 20_000
/** Requests that are answered at a time: some are, whenever V8 collects its young objects. */
const AT_A_TIME = 100
/** Of eight bytes. */
const NUMBERS = 2_000

const numbers = createContext<readonly number[]>()

function oldSpace(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === "old_space")?.space_used_size ?? 0
}

test("what a request has kept is gone with it, without a collection of the whole heap", () => {
  const inFlight: RequestContexts[] = []
  let most = 0
  const before = oldSpace()
  for (let nth = 0; nth < REQUESTS; nth++) {
    const contexts = new RequestContexts()
    contexts.set(
      numbers,
      Array.from({ length: NUMBERS }, (_, at) => at + nth),
    )
    inFlight[nth % AT_A_TIME] = contexts
    most = Math.max(most, oldSpace() - before)
  }
  expect(inFlight.map((it) => it.get(numbers).length)).toEqual(inFlight.map(() => NUMBERS))
  expect(most).toBeLessThan(AT_A_TIME * NUMBERS * 8 * 6)
})

test("a context without a value has its default, and without one it is an error", () => {
  const contexts = new RequestContexts()
  expect(contexts.get(createContext("none"))).toBe("none")
  expect(() => contexts.get(numbers)).toThrow("No value")
})

import { createContext } from "react-router"
import { expect, test } from "vitest"
import { promotedBytes } from "../../tests/support/heap/promoted-bytes"
import { RequestContexts } from "./request-contexts.server"

const REQUESTS = 20_000
/** Requests that are answered at a time: some are, whenever V8 collects its young objects. */
const AT_A_TIME = 100
/** Of eight bytes. */
const NUMBERS = 2_000

const numbers = createContext<readonly number[]>()

test("what a request has kept is gone with it, without a collection of the whole heap", () => {
  const inFlight: RequestContexts[] = []
  const promoted = promotedBytes(REQUESTS, (nth) => {
    const contexts = new RequestContexts()
    contexts.set(
      numbers,
      Array.from({ length: NUMBERS }, (_, at) => at + nth),
    )
    inFlight[nth % AT_A_TIME] = contexts
  })
  expect(inFlight.map((it) => it.get(numbers).length)).toEqual(inFlight.map(() => NUMBERS))
  expect(promoted).toBeLessThan(AT_A_TIME * NUMBERS * 8 * 6)
})

test("a context without a value has its default, and without one it is an error", () => {
  const contexts = new RequestContexts()
  expect(contexts.get(createContext("none"))).toBe("none")
  expect(() => contexts.get(numbers)).toThrow("No value")
})

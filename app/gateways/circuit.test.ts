import pino from "pino"
import { beforeEach, expect, test } from "vitest"
import { SECOND } from "~/domain/calendar"
import type { Circuit } from "~/http/circuit"
import { gatewayCircuit } from "./circuit"

let at: number
let circuit: Circuit
let messages: string[]

beforeEach(() => {
  at = 0
  messages = []
  const log = pino({ base: null }, { write: (line: string) => void messages.push(JSON.parse(line).msg) })
  circuit = gatewayCircuit({ now: () => at, log })
})

function fail(times: number): void {
  for (let time = 0; time < times; time++) circuit.failed()
}

/** Instants in milliseconds at which one of many impatient calls was admitted. */
function admittedWithin(span: number): number[] {
  const admitted: number[] = []
  for (const end = at + span; at < end; at += 100) if (circuit.admits()) admitted.push(at)
  return admitted
}

test("opens after five consecutive failures, not after four", () => {
  fail(4)
  expect([circuit.closed(), circuit.admits()]).toEqual([true, true])
  fail(1)
  expect([circuit.closed(), circuit.admits()]).toEqual([false, false])
})

test("a success resets the failure count", () => {
  fail(4)
  circuit.succeeded()
  fail(4)
  expect(circuit.closed()).toBe(true)
})

test("an open circuit admits a trial after half a second, another after one, then one every two seconds", () => {
  fail(5)
  expect(admittedWithin(10 * SECOND)).toEqual([500, 1_500, 3_500, 5_500, 7_500, 9_500])
})

test("failed trials do not move the next one", () => {
  fail(5)
  at = 500
  circuit.admits()
  at = 900
  fail(1)
  expect(admittedWithin(SECOND)).toEqual([1_500])
})

test("the first success admits every call at once, also that of a call sent before the circuit opened", () => {
  fail(5)
  circuit.succeeded()
  expect([circuit.closed(), circuit.admits(), circuit.admits()]).toEqual([true, true, true])
})

test("the pauses start short again after the circuit has closed", () => {
  fail(5)
  admittedWithin(20 * SECOND)
  circuit.succeeded()
  fail(5)
  const opened = at
  expect(admittedWithin(SECOND)).toEqual([opened + 500])
})

test("logs one opening and one closing, and no failed trial", () => {
  circuit.succeeded()
  fail(9)
  circuit.succeeded()
  circuit.succeeded()
  expect(messages).toEqual(["circuit opened for gateway", "circuit closed for gateway"])
})

test("knows since when its upstream fails, and when it last succeeded", () => {
  expect(circuit.health()).toEqual({ downSince: null, lastSuccessAt: null })
  at = 1 * SECOND
  circuit.succeeded()
  at = 2 * SECOND
  fail(1)
  at = 3 * SECOND
  fail(3)
  expect(circuit.health()).toEqual({ downSince: null, lastSuccessAt: 1 * SECOND })
  fail(2)
  expect(circuit.health()).toEqual({ downSince: 2 * SECOND, lastSuccessAt: 1 * SECOND })
  at = 9 * SECOND
  circuit.succeeded()
  expect(circuit.health()).toEqual({ downSince: null, lastSuccessAt: 9 * SECOND })
})

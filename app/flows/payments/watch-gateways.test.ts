import { expect, test } from "vitest"
import type { LoggedServices } from "~/context/services.server"
import { GATEWAY_UP_WITHIN } from "~/domain/operators/alert-periods"
import { watchGateways } from "./watch-gateways.server"

const START = Date.UTC(2026, 10, 20, 12)

/** A gateway that can be switched off, and what is reported of it. */
function watched() {
  const state = { isUp: true, at: START }
  const gateway = { healthy: () => state.isUp, health: () => ({ lastSuccessAt: START, downSince: null }) }
  const gateways = new Map([["offshore", gateway]]) as unknown as LoggedServices["gateways"]
  const reports: (readonly [isDown: boolean, at: number])[] = []
  const watch = watchGateways({ gateways, now: () => state.at }, async (_, ...report) => {
    reports.push(report)
  })
  return { state, reports, watch }
}

test("a gateway that works is reported with its last response", async () => {
  const { reports, watch } = watched()
  await watch()
  expect(reports).toEqual([[false, START]])
})

test("a gateway counts as down once it has failed for ten minutes without a break", async () => {
  const { state, reports, watch } = watched()
  state.isUp = false
  await watch()
  state.at = START + GATEWAY_UP_WITHIN - 1
  await watch()
  expect(reports).toEqual([])
  state.at = START + GATEWAY_UP_WITHIN
  await watch()
  expect(reports).toEqual([[true, START + GATEWAY_UP_WITHIN]])
})

test("a response begins the ten minutes anew", async () => {
  const { state, reports, watch } = watched()
  state.isUp = false
  await watch()
  state.isUp = true
  await watch()
  state.isUp = false
  state.at = START + GATEWAY_UP_WITHIN
  await watch()
  expect(reports).toEqual([[false, START]])
})

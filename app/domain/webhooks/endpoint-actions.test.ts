import { expect, test } from "vitest"
import { addressShownTo, endpointActionsFor } from "./endpoint-actions"

test("a paused endpoint is resumed, an active one paused", () => {
  expect(endpointActionsFor("owner", { state: "paused" })).not.toContain("pause-webhook")
  expect(endpointActionsFor("owner", { state: "paused" })).toContain("resume-webhook")
  expect(endpointActionsFor("owner", { state: "active" })).not.toContain("resume-webhook")
  expect(endpointActionsFor("owner", { state: "active" })).toContain("pause-webhook")
})

test("support tests, sends again, pauses and resumes, and a viewer does nothing", () => {
  expect(endpointActionsFor("support", { state: "active" })).toEqual([
    "test-webhook",
    "redeliver-webhook",
    "pause-webhook",
  ])
  expect(endpointActionsFor("viewer", { state: "active" })).toEqual([])
})

test("only an owner sees the path of a receiver's URL, which may be secret", () => {
  const url = "https://crm.example.test/hooks?key=hidden"
  expect(addressShownTo("owner", url)).toBe(url)
  for (const role of ["support", "viewer"] as const)
    expect(addressShownTo(role, url)).toBe("crm.example.test")
})

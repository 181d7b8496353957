import { expect, test } from "vitest"
import { newLine } from "../../../tests/contracts/provisioner/provisioner-contract"
import { isProvisioned, isStopped, shownService, withoutReason } from "./service"

test("a customer learns who suspended a service and when, and not the operator's reason", () => {
  const suspension = { owner: "operator", reason: "asked by phone", at: 5 } as const
  expect(withoutReason({ ...newLine, suspension })).toEqual({
    ...newLine,
    suspension: { owner: "operator", reason: null, at: 5 },
  })
  expect(withoutReason(newLine)).toEqual(newLine)
})

test("a browser gets what the page of a service shows of it, and nothing that only the shop needs", () => {
  const { id, name, status, username, password, host, connections, deviceAddress, notes } = newLine
  const shown = { id, name, status, username, password, host, connections, deviceAddress, notes }
  expect(shownService(newLine)).toEqual(shown)
})

test("a suspended service is provisioned; one that is set up, or has ended, is not", () => {
  const statuses = ["Pending", "Active", "Suspended", "Terminated", "Cancelled"] as const
  expect(statuses.filter((status) => isProvisioned({ status }))).toEqual(["Active", "Suspended"])
})

test("a service that was paid has stopped once it is suspended or has ended, and not while it is set up", () => {
  const statuses = ["Pending", "Active", "Suspended", "Terminated", "Cancelled"] as const
  expect(statuses.filter((status) => isStopped({ status }))).toEqual(["Suspended", "Terminated", "Cancelled"])
})

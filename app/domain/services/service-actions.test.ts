import { expect, test } from "vitest"
import { newLine } from "../../../tests/contracts/provisioner/provisioner-contract"
import type { Service } from "./service"
import { isServiceAction, serviceActions, serviceActionsFor } from "./service-actions"

const here = { hasExternalBilling: false }
const running: Service = { ...newLine, status: "Active", paidUntil: 1_000 }
const suspendedBy = (owner: "non-payment" | "operator"): Service => ({
  ...running,
  status: "Suspended",
  suspension: { owner, reason: null, at: 1 },
})
const ofSuspended = ["resume-service", "extend-service", "set-connections", "move-price", "keep-price"]

test.each<[string, Service, readonly string[]]>([
  [
    "works",
    running,
    [
      "extend-service",
      "set-device",
      "set-connections",
      "move-price",
      "keep-price",
      "recreate-service",
      "suspend-service",
      "terminate-service",
    ],
  ],
  [
    "has no end",
    { ...running, paidUntil: null },
    ["set-device", "set-connections", "recreate-service", "suspend-service", "terminate-service"],
  ],
  [
    "is a reseller's account",
    { ...running, kind: "reseller", paidUntil: null },
    ["recreate-service", "suspend-service", "terminate-service"],
  ],
  [
    "is suspended for non-payment, and may stay it whoever pays",
    suspendedBy("non-payment"),
    [...ofSuspended, "suspend-service", "terminate-service"],
  ],
  ["is suspended by an operator", suspendedBy("operator"), [...ofSuspended, "terminate-service"]],
  ["is being set up", { ...running, status: "Pending", paidUntil: null }, []],
  ["has ended", { ...running, status: "Terminated" }, []],
])("a service that %s allows an owner these actions", (_, service, actions) => {
  expect(serviceActionsFor("owner", service, here)).toEqual(actions)
})

test("of an external billing's service only what its panel does is done here", () => {
  expect(serviceActionsFor("owner", running, { hasExternalBilling: true })).toEqual([
    "set-device",
    "recreate-service",
  ])
})

test("only actions on a service are its actions", () => {
  expect(serviceActions.every(isServiceAction)).toBe(true)
  expect([isServiceAction("refund-order"), isServiceAction("")]).toEqual([false, false])
})

import { expect, test } from "vitest"
import { rendered } from "../../../tests/fixtures/render-screen"
import { attribute, elements, textOf } from "../../../tests/support/html/html-tree"
import { FoldedGatewayChoice, type GatewayOffer } from "./gateway-picker"
import { useCheckedForm } from "./use-checked-form"

const words = { name: null, note: null, minutes: null }
const bank: GatewayOffer = { id: "offshore", host: "bank.example", coins: [], isDegraded: false, words }
const bitcoin: GatewayOffer = { id: "btcpay", host: "btc.example", coins: [], isDegraded: false, words }

type Shown = { gateways: GatewayOffer[]; chosen: GatewayOffer["id"] | null; error?: string }

function Payment({ gateways, chosen, error }: Shown) {
  const lastResult = error ? { status: "error" as const, error: { gateway: [error] } } : null
  const { fields } = useCheckedForm<"gateway">({ id: "pay", lastResult, check: () => ({}) })
  return <FoldedGatewayChoice gateways={gateways} chosen={chosen} field={fields.gateway} />
}

async function foldOf(shown: Shown) {
  const page = await rendered(<Payment {...shown} />)
  const methods = elements(page, (it) => attribute(it, "name") === "gateway").length
  const [fold] = elements(page, ({ tagName }) => tagName === "details")
  const summary = elements(page, ({ tagName }) => tagName === "summary").map(textOf)
  return { methods, isOpen: fold !== undefined && attribute(fold, "open") !== null, summary }
}

test("who pays again sees the method that is chosen already, and all others behind it", async () => {
  const shown = await foldOf({ gateways: [bank, bitcoin], chosen: "btcpay" })
  expect(shown).toEqual({ methods: 2, isOpen: false, summary: ["Payment Bitcoin"] })
})

test.each<[string, Shown]>([
  ["the method has problems", { gateways: [bank, { ...bitcoin, isDegraded: true }], chosen: "btcpay" }],
  [
    "the form was refused for it",
    { gateways: [bank, bitcoin], chosen: "btcpay", error: "checkout.gateway.required" },
  ],
])("the methods are open if %s", async (_, shown) => {
  expect(await foldOf(shown)).toMatchObject({ methods: 2, isOpen: true })
})

test.each<[string, Shown, number]>([
  ["no method is chosen", { gateways: [bank, bitcoin], chosen: null }, 2],
  ["there is only one", { gateways: [bank], chosen: "offshore" }, 1],
])("nothing is folded if %s", async (_, shown, methods) => {
  expect(await foldOf(shown)).toMatchObject({ methods, summary: [] })
})

test("where no method is offered the form sends the preset one and says what can be ordered", async () => {
  const page = await rendered(<Payment gateways={[]} chosen="offshore" />)
  const [field, ...others] = elements(page, (it) => attribute(it, "name") === "gateway")
  expect([field && attribute(field, "type"), field && attribute(field, "value"), others]).toEqual([
    "hidden",
    "offshore",
    [],
  ])
  expect(textOf(page)).toContain("Your account credit still works")
})

test("the methods are one group that has a name: each of their radio buttons is read out with it", async () => {
  const page = await rendered(<Payment gateways={[bank, bitcoin]} chosen={null} />, "de-de")
  const groups = elements(page, (it) => attribute(it, "role") === "radiogroup")
  expect(groups.map((it) => attribute(it, "aria-label"))).toEqual(["Zahlung"])
  const inThem = groups.flatMap((it) => elements(it, ({ tagName }) => tagName === "input"))
  expect(inThem.map((it) => attribute(it, "value"))).toEqual(["offshore", "btcpay"])
})

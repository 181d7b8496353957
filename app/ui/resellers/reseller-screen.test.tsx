import { expect, test } from "vitest"
import type { ResellerPlan } from "~/domain/catalogue/catalogue"
import { money } from "~/domain/money/money"
import { rendered } from "../../../tests/fixtures/render-screen"
import { attribute, elements, textOf } from "../../../tests/support/html/html-tree"
import { NoResellerPlans, ResellerScreen } from "./reseller-screen"

const plan = (id: string, price: number, credits: number): ResellerPlan => ({
  id,
  name: `Reseller ${credits}`,
  payType: "recurring",
  cycle: "monthly",
  price: money(price, "EUR"),
  credits,
  extraConnection: null,
  proxyProtection: null,
})

function screenOf(plans: readonly ResellerPlan[]) {
  const noWords = { name: null, note: null, minutes: null }
  return (
    <ResellerScreen
      lead=""
      credits=""
      furtherPlan="Each plan opens another account."
      plans={plans}
      gateways={[{ id: "offshore", host: "pay.example", coins: [], isDegraded: false, words: noWords }]}
      choices={{
        kind: "reseller",
        plan: plans[0]?.id ?? null,
        extraConnection: false,
        proxyProtection: false,
        promoCode: null,
        email: null,
        gateway: "offshore",
        coin: null,
      }}
      currency="EUR"
      currencies={["EUR"]}
      promotion={null}
      assurance="You can change everything until you pay."
      paused={null}
      lastResult={null}
      typed={{ email: "", promoCode: "" }}
      signedInEmail={null}
      isReseller={false}
      existing={false}
      hasMail={false}
      formKey="form-1"
      wait={0}
    />
  )
}

/** What the plans' cards say, with ordinary spaces. */
async function cardsOf(plans: readonly ResellerPlan[]): Promise<readonly string[]> {
  const cards = elements(
    await rendered(screenOf(plans), "de-de"),
    (it) => attribute(it, "class") === "choice plan",
  )
  return cards.map((it) => textOf(it).replace(/\s+/g, " ").trim())
}

test("a reseller plan says the price of a line first, and the plan with the lowest one is marked", async () => {
  expect(await cardsOf([plan("11", 49_00, 10), plan("13", 379_00, 100), plan("12", 109_00, 25)])).toEqual([
    "Reseller 10 4,90 € je Zugang 49,00 € für 1 Monat · 10 Credits",
    "Bestes AngebotReseller 100 3,79 € je Zugang 379,00 € für 1 Monat · 100 Credits",
    "Reseller 25 4,36 € je Zugang 109,00 € für 1 Monat · 25 Credits",
  ])
})

test("who has an account reads beside its password what a further plan does to it", async () => {
  const document = await rendered(screenOf([plan("11", 49_00, 10)]), "en-en")
  const [forExisting] = elements(document, (it) => attribute(it, "class") === "for-existing")
  expect(forExisting && textOf(forExisting)).toContain("Each plan opens another account.")
})

test("a reseller plan without credits says its price", async () => {
  expect(await cardsOf([plan("11", 49_00, 0)])).toEqual(["Reseller 0 49,00 € für 1 Monat"])
})

test.each([
  ["en-en", "/"],
  ["de-de", "/de-de"],
] as const)("in %s the page without reseller plans leads back to the plans", async (locale, path) => {
  const document = await rendered(<NoResellerPlans />, locale)
  expect(elements(document, (it) => attribute(it, "href") === path)).toHaveLength(1)
})

import { expect, test } from "vitest"
import type { Service, ServiceStatus } from "~/domain/services/service"
import { rendered } from "../../../tests/fixtures/render-screen"
import { withoutTerm } from "../../../tests/fixtures/without-term"
import { attribute, elements, textOf } from "../../../tests/support/html/html-tree"
import { SupportContext } from "../layout/support-link"
import { ResellerSuccessScreen } from "./reseller-success-screen"

const service: Service = {
  id: "service",
  orderId: "7K3QWZ9MTB",
  customerId: "customer",
  productId: "12",
  name: "Reseller 25",
  username: "TV8K3QWZ7M",
  password: "4480127395",
  host: null,
  kind: "reseller",
  status: "Active",
  connections: 1,
  proxyProtection: false,
  cycle: "monthly",
  currency: "EUR",
  deviceAddress: null,
  notes: "",
  ...withoutTerm,
}

type Shown = Partial<Parameters<typeof ResellerSuccessScreen>[0]>

const page = (status: ServiceStatus, stopped: string | null = null, changes: Shown = {}) =>
  rendered(
    <SupportContext value="mailto:help@tv.example">
      <ResellerSuccessScreen
        order={null}
        unpaid={null}
        service={{ ...service, status }}
        ready={status === "Active"}
        delayed={false}
        unsettled={status === "Pending"}
        stopped={stopped}
        timeline={[]}
        timeZone="UTC"
        services={[]}
        resellerCredits={null}
        lines={{} as never}
        message={null}
        statement={{} as never}
        refusal={null}
        formKey="form-1"
        made={false}
        cancelled={null}
        lastResult={null}
        reloads={null}
        passwordForm={null}
        {...changes}
      />
    </SupportContext>,
    "en-en",
  )

test.each<[ServiceStatus, string]>([
  ["Pending", "Setting up your reseller account"],
  ["Suspended", "Your reseller account"],
  ["Terminated", "Your reseller account"],
])("the page of a service that is %s is headed “%s”", async (status, heading) => {
  const headings = elements(await page(status), (it) => it.tagName === "h1")
  expect(headings.map(textOf)).toEqual([heading])
})

test("the page of an account that was stopped says whom to ask, and leads there", async () => {
  const isLead = (it: Parameters<typeof attribute>[0]) => attribute(it, "href") === "mailto:help@tv.example"
  const stopped = await page("Suspended", "Please contact support to have your account started again.")
  expect(textOf(stopped)).toContain("Please contact support to have your account started again.")
  expect(elements(stopped, isLead)).toHaveLength(1)
  expect(elements(await page("Active"), isLead)).toHaveLength(0)
})

test.each([
  [true, "Your reseller account is ready", "active"],
  [false, "Your reseller account", "active · 4 connections"],
])(
  "the page of an order that was just paid says whether it opened the account: %s",
  async (opensAccount, heading, state) => {
    const order = { text: "Paid €7.50, order 7K3QWZ9MTB", isPaid: true, opensAccount, done: null }
    const connections = opensAccount ? 1 : 4
    const shown = await page("Active", null, {
      order,
      service: { ...service, status: "Active", connections },
    })
    const [head] = elements(shown, (it) => it.tagName === "header")
    if (!head) throw new Error("no heading")
    expect(elements(head, (it) => it.tagName === "h1").map(textOf)).toEqual([heading])
    expect(textOf(head)).toContain(`order 7K3QWZ9MTB · Reseller 25 · ${state}`)
  },
)

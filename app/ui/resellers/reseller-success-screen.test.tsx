import { expect, test } from "vitest"
import type { Service, ServiceStatus } from "~/domain/service"
import { rendered } from "../../../tests/fixtures/render-screen"
import { withoutTerm } from "../../../tests/fixtures/without-term"
import { elements, textOf } from "../../../tests/support/html/html-tree"
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

test.each<[ServiceStatus, string]>([
  ["Pending", "Setting up your reseller account"],
  ["Suspended", "Your reseller account"],
  ["Terminated", "Your reseller account"],
])("the page of a service that is %s is headed “%s”", async (status, heading) => {
  const page = await rendered(
    <ResellerSuccessScreen
      order={null}
      unpaid={null}
      service={{ ...service, status }}
      ready={false}
      delayed={false}
      unsettled={status === "Pending"}
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
      lastResult={null}
      reloads={null}
      passwordForm={null}
    />,
    "en-en",
  )
  expect(elements(page, (it) => it.tagName === "h1").map(textOf)).toEqual([heading])
})

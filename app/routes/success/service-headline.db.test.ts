import { RouterContextProvider } from "react-router"
import { expect, test } from "vitest"
import { localeContext } from "~/context/locale.server"
import { servicesContext } from "~/context/services.server"
import { DAY } from "~/domain/calendar"
import { defaultLocale } from "~/domain/locales"
import { buyPlan } from "../../../tests/fixtures/purchase"
import { openTestShop } from "../../../tests/fixtures/test-shop"
import { writingOf } from "../page-writing.server"
import { serviceHeadline } from "./service-headline.server"

test.each([
  ["is the end of the renewal", 0, true],
  ["has moved since the renewal", 5 * DAY, false],
])(
  "the heading after a renewal says until when the service is paid only if that %s",
  async (_, given, namesEnd) => {
    const shop = await openTestShop()
    const order = await buyPlan(shop)
    const service = await shop.services.billing.service(order.serviceId)
    if (!service) throw new Error("There is no service")
    const until = shop.services.now() + 30 * DAY
    const about = {
      service: { ...service, paidUntil: until + given },
      order: null,
      timeline: [],
      items: [
        {
          serviceId: service.id,
          name: service.name,
          username: service.username,
          cycles: 1,
          amount: order.total,
          until,
        },
      ],
      known: [],
      canRenew: true,
      hasSupport: true,
    }
    const context = new RouterContextProvider()
    context.set(servicesContext, shop.services)
    context.set(localeContext, defaultLocale)
    const headline = await serviceHeadline(shop.services, about, writingOf(context))
    expect(headline).toMatchObject({ heading: expect.stringContaining("Renewed until"), namesEnd })
    await shop.billing.close()
  },
)

import type { Plan } from "~/domain/catalogue"
import type { Choices } from "~/domain/choices"
import type { Cycle } from "~/domain/cycle"
import { money } from "~/domain/money"
import type { Order } from "~/domain/order"
import type { Promotion } from "~/domain/promotion"

const eur = (minor: number) => money(minor, "EUR")

function plan(id: string, name: string, { cycle, price }: { cycle: Cycle; price: number }): Plan {
  const extra = (optionId: string, cost: number) => ({
    ...{ optionId, choiceId: `${optionId}0`, name: "Option" },
    price: eur(cost),
  })
  return {
    ...{ id, name, payType: "recurring", cycle, price: eur(price) },
    extraConnection: extra("2", 1990),
    proxyProtection: extra("4", 990),
  }
}

/** €12.00, €9.00 and €6.58 a month. */
export const threePlans: readonly Plan[] = [
  plan("1", "1 month", { cycle: "monthly", price: 1200 }),
  plan("2", "6 months", { cycle: "semiannually", price: 5400 }),
  plan("3", "12 months", { cycle: "annually", price: 7900 }),
]

export const yearWithExtra: Choices = {
  kind: "plan",
  plan: "3",
  extraConnection: true,
  proxyProtection: false,
  promoCode: "WELCOME10",
  email: "ana@example.test",
  gateway: "offshore",
  coin: null,
}

/** A tenth off the plans named. */
export function tenPercentOff(...productIds: string[]): Promotion {
  const discount = { kind: "percentage", hundredths: 1_000 } as const
  return { code: "WELCOME10", productIds, startsOn: null, endsOn: null, usesLeft: null, discount }
}

/** 20 November 2026, 15:40 UTC. */
export const placedAt = Date.UTC(2026, 10, 20, 15, 40)

/** An order of €89.01 placed then, payable for a day. */
export function anOrder(differences: Partial<Order> = {}): Order {
  return {
    ...{
      kind: "plan",
      id: "7K3QWZ9MTB",
      invoiceId: "invoice",
      serviceId: "service",
      customerId: "customer",
      proven: false,
    },
    ...{ status: "awaiting-payment", gateway: "offshore", locale: "en-en" },
    lines: [
      { kind: "plan", productId: "3", name: "12 months", amount: eur(7900) },
      { kind: "extraConnection", optionId: "2", choiceId: "20", name: "Option", amount: eur(1990) },
      { kind: "discount", code: "WELCOME10", amount: eur(-989) },
    ],
    total: eur(8901),
    received: eur(0),
    credited: eur(0),
    placedAt,
    deadline: placedAt + 24 * 3_600_000,
    ...differences,
  }
}

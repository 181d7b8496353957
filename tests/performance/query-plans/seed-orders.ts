import { DAY } from "~/domain/calendar"
import { type Fillings, id, type RowTemplates } from "./row-templates"

/** Customers, their orders and the services of these orders. */
export function grownOrders({ at, choose, euros, surplus }: RowTemplates): Fillings {
  return {
    clients: {
      of: {
        ...{
          id: id("c"),
          email_key: "'buyer' || i || '@example.test'",
          email: "'buyer' || i || '@example.test'",
        },
        ...{
          password_hash: "null",
          password_scope: "null",
          password_id: "null",
          locale: "'en-gb'",
          ...euros,
        },
        ...{ address: "'192.0.2.7'", country: "'GB'", created_at: at },
      },
    },
    orders: {
      of: {
        ...{ id: id("o"), kind: "'plan'", service_id: id("s"), one_time_key: id("k"), client_id: id("c") },
        ...{
          affiliate_id: "case when i % 50 = 0 then 'a' || (i % 7) end",
          proven: 0,
          access_scope: "null",
          password_id: "null",
        },
        status: choose(
          "'active'",
          "case when i % 20 = 19 then 'cancelled' else 'expired' end",
          "'awaiting-payment'",
        ),
        promo_key: "case when i % 10 = 0 then 'half' end",
        ...{ gateway: "'offshore'", locale: "'en-gb'", address: "'198.51.100.' || (i % 250)", placed_at: at },
        network: "'8.8.4.' || (i % 250)",
        browser: id("b"),
        decision: "null",
        credit_scope: "null",
        deadline: `${at} + ${DAY}`,
      },
    },
    order_lines: {
      of: {
        ...{ order_id: id("o"), position: 0, kind: "'plan'", product_id: "'7'", option_id: "null" },
        ...{ choice_id: "null", code: "null", name: "'1 month'", quantity: "null", amount: 2_000, ...euros },
      },
    },
    order_events: {
      of: {
        ...{
          order_id: id("o"),
          position: 1,
          kind: "'placed'",
          at,
          amount: 2_000,
          ...euros,
          reference: "null",
        },
      },
    },
    invoices: {
      of: {
        ...{ id: id("i"), order_id: id("o"), client_id: id("c"), total: 2_000, ...euros, created_at: at },
        status: choose("'paid'", "'cancelled'", "'unpaid'"),
        ...{ received: choose(`2000 + ${surplus}`, 0, 0), credited: choose(surplus, 0, 0) },
        paid_at: choose(at, "null", "null"),
      },
    },
    services: {
      of: {
        ...{ id: id("s"), local_id: "null", order_id: id("o"), client_id: id("c"), product_id: "'7'" },
        ...{ kind: "'plan'", name: "'1 month'", cycle: "'monthly'", ...euros, device_address: "null" },
        ...{ notes: "''", status: choose("'Active'", "'Cancelled'", "'Pending'"), username: "'TVABCDEFGH'" },
        ...{ password: "'0123456789'", host: choose("'https://tv.test'", "null", "null"), connections: 1 },
        ...{ proxy_protection: 0, created_at: at },
      },
    },
  }
}

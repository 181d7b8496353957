import { DAY, MINUTE } from "~/domain/calendar"
import { type Fillings, id, type RowTemplates } from "./row-templates"

/** Payments of the orders, and their jobs. */
export function grownMoney(templates: RowTemplates): Fillings {
  const { now, decided, isOpen, isPaid, isExpired, at, surplus, euros, choose } = templates
  return {
    // Some attempts of unpaid orders stay pending forever, and as many have expired at their providers.
    payment_attempts: {
      from: `${isPaid} or ${isOpen} or (${isExpired} and i % 20 < 12)`,
      of: {
        id: id("t"),
        order_id: id("o"),
        gateway: "'offshore'",
        coin: "null",
        amount: 2_000,
        ...euros,
        slot: choose("null", id("o"), id("o")),
        status: choose("'paid'", "case when i % 2 = 0 then 'pending' else 'expired' end", "'pending'"),
        received: choose(`2000 + ${surplus}`, 0, 0),
        gross: choose(`2000 + ${surplus}`, 0, 0),
        refunded: 0,
        refund_left: "null",
        payment_id: id("p"),
        url: "'https://pay.test/'",
        opened_at: at,
        polled_at: at,
        resumed_at: "null",
        poll_after: choose(at, `${at} + ${8 * DAY}`, `${now} + (i % 600) * 1000`),
      },
    },
    coin_references: {
      from: `${isPaid} or ${isOpen}`,
      of: {
        attempt_id: id("t"),
        reference_key: "'bc1qaddress' || i",
        kind: "'address'",
        value: "'bc1qaddress' || i",
        at,
      },
    },
    gateway_events: {
      from: isPaid,
      of: {
        gateway: "'offshore'",
        event_key: id("e"),
        attempt_id: id("t"),
        status: "'paid'",
        amount: `2000 + ${surplus}`,
        ...euros,
        transaction_id: id("x"),
        at,
      },
    },
    payments: {
      from: isPaid,
      of: {
        id: id("m"),
        invoice_id: id("i"),
        client_id: id("c"),
        attempt_id: id("t"),
        gateway: "'offshore'",
        amount: `2000 + ${surplus}`,
        ...euros,
        transaction_id: id("x"),
        booked_at: at,
        part_placed_at: `case when ${surplus} > 0 then ${at} end`,
      },
    },
    tax_documents: {
      from: isPaid,
      of: {
        number: id("2026-"),
        kind: "'invoice'",
        year: 2026,
        sequence: "1000000 + i",
        order_id: id("o"),
        position: 0,
        issued_at: at,
        issued_on: "'2026-0' || (1 + i % 6) || '-' || (10 + i % 18)",
        ...euros,
        country: "'GB'",
        net: 1_667,
        tax: 333,
        gross: 2_000,
        corrects: "null",
        content: "'{}'",
      },
    },
    credits: {
      from: `${isPaid} and i % 200 = 0`,
      of: { client_id: id("c"), ...euros, balance: 500 },
    },
    credit_movements: {
      from: `${isPaid} and i % 200 = 0`,
      of: {
        id: id("v"),
        client_id: id("c"),
        invoice_id: id("i"),
        cause: "'surplus'",
        source_invoice_id: "null",
        reason: "null",
        grant_key: "null",
        amount: 500,
        ...euros,
        at,
      },
    },
    credit_entries: {
      from: `${isPaid} and i % 4 = 1`,
      of: {
        id: id("r"),
        from_account: "'issued'",
        to_account: `'held ' || ${id("c")}`,
        amount: 25,
        reference: id("order "),
        reason: "null",
        at,
      },
    },
    credit_balances: {
      from: `${isPaid} and i % 4 = 1 or i = 2`,
      of: {
        account: `case when i = 2 then 'issued' else 'held ' || ${id("c")} end`,
        balance: `case when i = 2 then ${(-25 * 3 * decided) / 20} else 25 end`,
      },
    },
    affiliate_clicks: {
      from: "i % 10 = 0",
      of: { affiliate_id: "'a' || (i % 7)", visitor: id("v"), day: "'2026-06-01'", referer: "null", at },
    },
    // Most jobs wait for a retry: among a few hundred, PostgreSQL finds reading all as cheap as twenty by their keys.
    outbox: {
      from: isPaid,
      of: {
        id: id("j"),
        topic: "'provision'",
        subject: id("s"),
        tries: 0,
        reason: "null",
        state: "case when i % 10 < 8 then 'waiting' else 'done' end",
        due: `${now + 30 * MINUTE} + (i % 600) * 1000`,
      },
    },
    external_orders: {
      from: isPaid,
      of: {
        order_id: id("o"),
        state: "'made'",
        their_order_id: id("o"),
        their_invoice_id: id("i"),
        link: "null",
        tries: 1,
        claimed_until: 0,
        poll_after: `${at} + ${DAY}`,
      },
    },
  }
}

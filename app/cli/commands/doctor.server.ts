import type { Diagnostic } from "~/billing/diagnostic"
import { readShopFile } from "~/config/shop-file.server"
import { DAY, dayIn } from "~/domain/calendar"
import { offersWithdrawal } from "~/domain/shop/country-law"
import { TAX_TABLE_OF } from "~/domain/tax-table"
import { reachGateway } from "~/flows/admin/examine-gateway.server"
import { approvalLimitOf } from "~/wiring/approval-limit.server"
import { diagnoseCountries } from "~/wiring/countries.server"
import { hasMailServer } from "~/wiring/mail.server"
import { restrictToOwner } from "~/wiring/private-files.server"
import type { Call, Command } from "../command"
import { diagnoseMail } from "../diagnose-mail.server"
import { firstDayOf, stepLabels } from "./checklist.server"

const YEAR = 365 * DAY

/** Checks billing, the data directory, jobs, payments, mail and gateways. Exit code 1 if a check fails. */
export const doctor: Command = {
  about: "check the billing setup, the data directory, payments, mail and gateways",
  args: [],
  async run(call) {
    const findings = [
      billingSetup(call),
      supportContact(call),
      ...withdrawals(call),
      ...taxRates(call),
      ...dataFolder(call),
      await diagnoseCountries(call.config, call.now),
      ...(await diagnostics(call)),
      ...(await call.billing.operator.traces()),
      ...(await call.billing.operator.checkPayments(call.now)),
      ...(await diagnoseMail(call)),
      ...(await webhooks(call)),
      ...(await reached(call)),
      ...(await secondOperator(call)),
      ...(await checklist(call)),
    ]
    const isFailure = findings.some(({ ok }) => ok === false)
    return {
      text: findings.map(lineOf).join("\n"),
      data: { ok: !isFailure, checks: findings.map(({ check, ok, message }) => ({ check, ok, message })) },
      isFailure,
    }
  },
}

function billingSetup({ config }: Call): Diagnostic {
  return { ok: null, check: "billing", message: `${billingBackends[config.BILLING]}` }
}

/** Without a contact no page tells a customer to ask support. */
function supportContact({ config }: Call): Diagnostic {
  const { support } = readShopFile(config.SHOP_FILE).links
  const check = "support"
  if (support !== null) return { ok: null, check, message: support }
  return { ok: null, check, message: "no contact is shown: set links.support in SHOP_FILE" }
}

/** A withdrawal has to be acknowledged by mail. */
function withdrawals({ config }: Call): readonly Diagnostic[] {
  if (!offersWithdrawal(readShopFile(config.SHOP_FILE).legal.law)) return []
  const ok = hasMailServer(config) && config.MAIL_ORDERS === "on"
  const message = ok
    ? "acknowledged by mail"
    : "not acknowledged: set SMTP_URL and MAIL_FROM, and MAIL_ORDERS to on"
  return [{ ok, check: "withdrawals", message }]
}

/** Rates change: whoever sells by those of an old table sells wrongly. */
function taxRates({ config, now }: Call): readonly Diagnostic[] {
  const { tax } = readShopFile(config.SHOP_FILE)
  if (tax === null) return []
  const check = "tax"
  if (config.BILLING !== "embedded")
    return [{ ok: null, check, message: "the billing system taxes: tax in SHOP_FILE is not used" }]
  const { confirmedOn, registrations } = tax
  if (registrations.length === 0)
    return [{ ok: false, check, message: "nothing is taxed: tax.registrations in SHOP_FILE is empty" }]
  const ok = confirmedOn > dayIn(config.TIME_ZONE, now - YEAR)
  const message = ok
    ? `rates confirmed on ${confirmedOn}`
    : `the rates were confirmed on ${confirmedOn}, more than a year ago (the table that is shipped is of ${TAX_TABLE_OF}): check them, and set tax.confirmedOn in SHOP_FILE`
  return [{ ok, check, message }]
}

/** Restricts the data directory to its owner and reports each path that other users can still read. */
function dataFolder({ config }: Call): readonly Diagnostic[] {
  const open = restrictToOwner(config.DATA_DIR)
  if (open.length === 0) return [{ ok: true, check: "data directory", message: "readable by its owner only" }]
  return open.map((message) => ({ ok: false, check: "data directory", message }))
}

const billingBackends = {
  embedded: "embedded",
  remote: "external (BILLING_URL)",
  whmcs: "external (WHMCS)",
} as const

async function diagnostics({ externalBilling, billing, now }: Call): Promise<readonly Diagnostic[]> {
  const jobs = await billing.operator.diagnoseJobs()
  if (!externalBilling) return [...(await billing.operator.diagnose(now)), ...jobs]
  return [...(await externalBilling.diagnose(now)), ...(await billing.operator.diagnoseAccess()), ...jobs]
}

function reached({ gateways }: Call): Promise<readonly Diagnostic[]> {
  return Promise.all(
    [...gateways().values()].map(async (it) => ({ check: `gateway ${it.id}`, ...(await reachGateway(it)) })),
  )
}

/** An endpoint that the shop has paused does not go on by itself. */
async function webhooks({ billing }: Call): Promise<readonly Diagnostic[]> {
  const endpoints = await billing.webhooks.endpoints()
  return endpoints.map(({ id, url, state, pauseReason }) => ({
    ok: state === "active" ? true : pauseReason === "operator" ? null : false,
    check: "webhooks",
    message:
      state === "active"
        ? `${id} (${new URL(url).host}) gets events`
        : `${id} (${new URL(url).host}) is paused (${pauseReason}): mend the receiver, then webhooks resume ${id}`,
  }))
}

/** What one owner asks for in the console nobody else can confirm there. */
async function secondOperator({ billing, config }: Call): Promise<readonly Diagnostic[]> {
  if (approvalLimitOf(config) === null) return []
  const owners = (await billing.operators.list()).filter(
    ({ role, disabledAt, isSetUp }) => role === "owner" && disabledAt === null && isSetUp,
  )
  const ok = owners.length > 1
  const message = ok
    ? `${owners.length} owners can confirm what another has asked for`
    : `APPROVE_ABOVE is set, and ${owners.length === 1 ? "only one owner can" : "no owner can"} sign in: add another with "operators add EMAIL --role owner"`
  return [{ ok, check: "second operator", message }]
}

/** "My first day" of the console. A step that is missing is no failure: a shop may do without it. */
async function checklist(call: Call): Promise<readonly Diagnostic[]> {
  const { steps } = await firstDayOf(call)
  return steps.map(({ step, done }) => ({
    ok: done ? true : null,
    check: `first day: ${step}`,
    message: `${done ? "" : "missing: "}${stepLabels[step]}`,
  }))
}

const WIDEST = 24

function lineOf({ ok, check, message }: Diagnostic): string {
  const mark = ok === null ? "    " : ok ? "ok  " : "FAIL"
  return `${mark}  ${check.padEnd(WIDEST)} ${message}`
}

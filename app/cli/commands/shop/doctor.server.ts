import type { Diagnostic } from "~/billing/diagnostic"
import type { Call, Command } from "~/cli/command"
import { diagnoseMail } from "~/cli/diagnose-mail.server"
import { shopTexts } from "~/cli/shop-texts.server"
import { type MistypedVariable, mistypedVariablesIn } from "~/config/mistyped-variables"
import { readShopFile, unknownShopFields } from "~/config/shop-file.server"
import { dayIn } from "~/domain/calendar"
import { diagnoseNumbers } from "~/flows/admin/accounting/continue-numbers.server"
import { reachGateway } from "~/flows/admin/payments/examine-gateway.server"
import {
  diagnoseOffer,
  diagnoseSecondOperator,
  diagnoseShopFile,
  diagnoseSupport,
  diagnoseTax,
  diagnoseWebhooks,
  diagnoseWithdrawals,
} from "~/flows/admin/shop/diagnose-shop.server"
import { diagnoseSecrets } from "~/flows/admin/shop/re-encrypt-secrets.server"
import { diagnoseExchangeRates } from "~/flows/admin/tax/diagnose-exchange-rates.server"
import { approvalLimitOf } from "~/wiring/approval-limit.server"
import { diagnoseCountries } from "~/wiring/countries.server"
import { mailsOrders } from "~/wiring/mail.server"
import { restrictToOwner } from "~/wiring/private-files.server"
import { secretSealsOf } from "~/wiring/secret-seals.server"
import { firstDayOf, stepLabels } from "./checklist.server"

/** Checks billing, the data directory, jobs, payments, mail and gateways. Exit code 1 if a check fails. */
export const doctor: Command = {
  about: "check the billing setup, the data directory, payments, mail and gateways",
  args: [],
  async run(call) {
    const findings = [
      billingSetup(call),
      ...mistypedVariablesIn(call.environment).map(unknownVariable),
      diagnoseSupport((await shopTexts(call)).links.support),
      ...diagnoseShopFile(unknownShopFields(call.config.SHOP_FILE)),
      ...diagnoseOffer(call.config.GATEWAYS, await call.billing.drains.list()),
      ...withdrawals(call),
      ...(await taxRates(call)),
      ...dataFolder(call),
      await diagnoseCountries(call.config, call.now),
      ...(await diagnostics(call)),
      ...(await call.billing.operator.traces()),
      ...(await call.billing.operator.checkPayments(call.now)),
      ...(await diagnoseMail(call)),
      ...(await diagnoseWebhooks(call.billing.webhooks)),
      ...(await secrets(call)),
      ...(await numbers(call)),
      ...(await reached(call)),
      ...(await diagnoseSecondOperator(call.billing.operators, {
        limit: approvalLimitOf(call.config),
        now: call.now,
      })),
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

/** No failure: it may be another program's. */
function unknownVariable({ variable, meant }: MistypedVariable): Diagnostic {
  return { ok: null, check: "settings", message: `${variable} is no setting; ${meant} is, and is not set` }
}

function numbers({ billing, now }: Call): Promise<readonly Diagnostic[]> {
  return diagnoseNumbers({ auditLog: billing.auditLog, documentNumbers: billing.operator }, now)
}

function withdrawals({ config }: Call): readonly Diagnostic[] {
  return diagnoseWithdrawals(readShopFile(config.SHOP_FILE).legal.law, mailsOrders(config))
}

async function taxRates({ billing, config, now }: Call): Promise<readonly Diagnostic[]> {
  if (billing.tax) {
    const present = await billing.tax.present()
    const { products } = await billing.operator.exportCatalogue()
    return [
      ...diagnoseTax(present, { timeZone: config.TIME_ZONE, now }),
      ...diagnoseExchangeRates(present, products, dayIn(config.TIME_ZONE, now)),
    ]
  }
  const message = "the billing system taxes: tax in SHOP_FILE is not used"
  return readShopFile(config.SHOP_FILE).tax ? [{ ok: null, check: "tax", message }] : []
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

function markOf(ok: Diagnostic["ok"]): string {
  if (ok === null) return "    "
  return ok ? "ok  " : "FAIL"
}

function lineOf({ ok, check, message }: Diagnostic): string {
  return `${markOf(ok)}  ${check.padEnd(WIDEST)} ${message}`
}

/** Without `OPERATOR_SECRETS` nothing is stored encrypted. */
async function secrets({ billing, config }: Call): Promise<readonly Diagnostic[]> {
  const secretSeals = secretSealsOf(config)
  return secretSeals === null ? [] : diagnoseSecrets({ storedSecrets: billing.storedSecrets, secretSeals })
}

import type { CatalogueAdmin } from "~/billing/catalogue/catalogue-admin"
import type { ConsoleOverview } from "~/billing/console-overview"
import type { AuditLog } from "~/billing/operators/audit-log"
import type { ConsoleServices } from "~/context/services.server"
import { isBackupDue } from "~/domain/backup"
import type { Instant } from "~/domain/calendar"
import type { GatewayId } from "~/domain/payments/gateway-id"
import { reachesNobody } from "~/domain/shop/shop-links"
import { isTestMailSent } from "~/flows/admin/send-test-mail.server"
import { BACKUP_SUBJECT } from "../backups.server"

/** What a shop needs on its first day, in the order in which it is done. */
const firstDaySteps = [
  "brand",
  "plans",
  "gateway",
  "secrets",
  "callback",
  "payment",
  "panel",
  "mail",
  "alerts",
  "backup",
] as const
export type FirstDayStep = (typeof firstDaySteps)[number]

/** What the settings say. */
export type FirstDaySettings = {
  readonly publicUrl: string
  /** The sandbox's gateways are the only ones. */
  readonly testMode: boolean
  readonly gateways: readonly GatewayId[]
  /** Address of the support that customers are shown. */
  readonly support: string | null
  /** The plans were read from a file of the operator's (`CATALOGUE_FILE`). */
  readonly hasCatalogueFile: boolean
  readonly hasMail: boolean
  /** Alerts are mailed to the operator. */
  readonly hasAlerts: boolean
}

/** `missing`: gateways without an update of a payment. */
export type FirstDay = {
  readonly steps: readonly { readonly step: FirstDayStep; readonly done: boolean }[]
  readonly missing: readonly GatewayId[]
  readonly lastBackup: Instant | null
}

/** The checklist with the settings of the running shop. */
export function firstDayIn({
  console,
  shop,
  mailer,
  enabledGateways,
  now,
}: Pick<ConsoleServices, "console" | "shop" | "mailer" | "enabledGateways" | "now">): Promise<FirstDay> {
  const catalogueFile = console.settings().find(({ name }) => name === "CATALOGUE_FILE")
  const settings = {
    publicUrl: shop.publicUrl,
    testMode: shop.testMode,
    gateways: enabledGateways,
    support: shop.links.support,
    hasCatalogueFile: catalogueFile?.isSet ?? false,
    hasMail: mailer !== null,
    hasAlerts: shop.operatorEmail !== null,
  }
  return firstDay(console, settings, now())
}

type Stored = {
  readonly overview: ConsoleOverview
  readonly auditLog: AuditLog
  readonly catalogue: CatalogueAdmin | null
}

/** The checklist of the first day: nothing is ticked by hand, everything is read from settings and stored data. */
export async function firstDay(
  { overview, auditLog, catalogue }: Stored,
  settings: FirstDaySettings,
  now: Instant,
): Promise<FirstDay> {
  const [progress, hasOwnPlans, isTested, backups] = await Promise.all([
    overview.progress(settings.gateways),
    settings.hasCatalogueFile || isChanged(catalogue),
    isTestMailSent(auditLog),
    auditLog.newest({ subject: BACKUP_SUBJECT, limit: 1 }),
  ])
  const missing = settings.gateways.filter((id) => !progress.reported.includes(id))
  const lastBackup = backups[0]?.at ?? null
  const done: Readonly<Record<FirstDayStep, boolean>> = {
    brand: settings.support !== null && !reachesNobody(settings.support),
    plans: hasOwnPlans,
    gateway: !settings.testMode && settings.gateways.length > 0,
    secrets: settings.publicUrl.startsWith("https:"),
    callback: missing.length === 0,
    payment: progress.isPaid,
    panel: progress.isProvisioned,
    mail: settings.hasMail && (progress.isMailSent || isTested),
    alerts: settings.hasMail && settings.hasAlerts,
    backup: !isBackupDue(lastBackup, now),
  }
  return { steps: firstDaySteps.map((step) => ({ step, done: done[step] })), missing, lastBackup }
}

/** Whether the plans are no longer the demo's. Those of an external billing never were. */
async function isChanged(catalogue: CatalogueAdmin | null): Promise<boolean> {
  return catalogue === null || (await catalogue.versions({ limit: 1 })).length > 0
}

import type { ConsoleOverview } from "~/billing/console-overview"
import type { AuditLog } from "~/billing/operators/audit-log"
import { isBackupDue } from "~/domain/backup"
import type { Instant } from "~/domain/calendar"
import type { GatewayId } from "~/domain/payments/gateway-id"
import { isTestMailSent } from "~/flows/admin/send-test-mail.server"
import { BACKUP_SUBJECT } from "../backups.server"

/** What a shop needs on its first day, in the order in which it is done. */
const firstDaySteps = [
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

/** The checklist of the first day: nothing is ticked by hand, everything is read from settings and stored data. */
export async function firstDay(
  { overview, auditLog }: { readonly overview: ConsoleOverview; readonly auditLog: AuditLog },
  settings: FirstDaySettings,
  now: Instant,
): Promise<FirstDay> {
  const [progress, isTested, backups] = await Promise.all([
    overview.progress(settings.gateways),
    isTestMailSent(auditLog),
    auditLog.newest({ subject: BACKUP_SUBJECT, limit: 1 }),
  ])
  const missing = settings.gateways.filter((id) => !progress.reported.includes(id))
  const lastBackup = backups[0]?.at ?? null
  const done: Readonly<Record<FirstDayStep, boolean>> = {
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

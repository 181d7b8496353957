import { DAY, type Instant } from "./calendar"

/** A backup is made at least once a week. */
const BACKUP_PERIOD = 7 * DAY

/** Whether another backup should be made. `last`: time of the last one; null: there is none. */
export function isBackupDue(last: Instant | null, now: Instant): boolean {
  return last === null || now - last >= BACKUP_PERIOD
}

import type { Instant } from "~/domain/calendar"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { type GivenDays, giveDays } from "../services/given-days.server"
import {
  type NewSuspension,
  type Resumption,
  resume,
  suspend,
  type Termination,
  terminate,
} from "../services/service-state.server"

export function suspendService(ctx: DbContext, id: string, suspension: NewSuspension): Promise<boolean> {
  return inTransaction(ctx, (tx) => suspend(tx, id, suspension))
}

export function resumeService(ctx: DbContext, id: string, resumption: Resumption): Promise<boolean> {
  return inTransaction(ctx, (tx) => resume(tx, id, resumption))
}

export function terminateService(ctx: DbContext, id: string, termination: Termination): Promise<boolean> {
  return inTransaction(ctx, (tx) => terminate(tx, id, termination))
}

export function extendService(ctx: DbContext, id: string, given: GivenDays): Promise<Instant | null> {
  return inTransaction(ctx, (tx) => giveDays(tx, id, given))
}

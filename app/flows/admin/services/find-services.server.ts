import type {
  ServiceAdmin,
  ServiceListItem,
  ServiceOrder,
  ServicePosition,
  ServiceRange,
} from "~/billing/services/service-admin"
import type { Instant } from "~/domain/calendar"
import { STEP_LATE_AFTER } from "~/domain/console/console-need"
import { startOfDay } from "~/domain/local-time"
import { type ServiceStatus, serviceStatuses } from "~/domain/services/service"
import { type KeysetList, type KeysetPage, type PageRequest, readAll, readPage } from "../keyset-pages.server"

/** All conditions apply. */
export type ServiceFilter = {
  readonly status?: ServiceStatus | undefined
  readonly productId?: string | undefined
  /** The paid time ends at this time or later, and before `endsBefore`. */
  readonly endsFrom?: Instant | undefined
  readonly endsBefore?: Instant | undefined
  /** The next step was due before: it is late. */
  readonly stepBefore?: Instant | undefined
}

export type ServicePage = KeysetPage<ServiceListItem, ServicePosition>

/** `now`: the machine's clock, which measures how long a search takes. */
export type FindServicesServices = {
  readonly services: Pick<ServiceAdmin, "services">
  readonly now: () => Instant
}

/** A page of services: the newest first, with an end those that end last, or those whose step has become late last. */
export function findServices(
  { services, now }: FindServicesServices,
  filter: ServiceFilter,
  request: PageRequest<ServicePosition>,
): Promise<ServicePage> {
  return readPage(listOf(services, filter), request, now)
}

/** All services of a filter, in the order of their list, in batches. */
export function allServices(
  { services }: Pick<FindServicesServices, "services">,
  filter: ServiceFilter,
): AsyncGenerator<ServiceListItem> {
  return readAll(listOf(services, filter))
}

type Placed = ServiceListItem & ServicePosition

function listOf(
  services: FindServicesServices["services"],
  filter: ServiceFilter,
): KeysetList<Placed, ServicePosition> {
  const { by, from, until } = indexOf(filter)
  return {
    async read(range) {
      const status = by === "created" ? filter.status : undefined
      const rows = await services.services({ ...range, by, status, from, until })
      return rows.map((it) => ({ ...it, at: timeOf[by](it) ?? 0 }))
    },
    matches: isIndexed(filter, by) ? undefined : matches(filter),
    placeOf: ({ at, id }) => ({ at, id }),
  }
}

const timeOf: Readonly<Record<ServiceOrder, (service: ServiceListItem) => Instant | null>> = {
  created: ({ createdAt }) => createdAt,
  ending: ({ paidUntil }) => paidUntil,
  step: ({ nextStepAt }) => nextStepAt,
}

function indexOf({
  endsFrom,
  endsBefore,
  stepBefore,
}: ServiceFilter): Pick<ServiceRange, "by" | "from" | "until"> {
  if (stepBefore !== undefined) return { by: "step", until: stepBefore }
  const isEnding = endsFrom !== undefined || endsBefore !== undefined
  return { by: isEnding ? "ending" : "created", from: endsFrom, until: endsBefore }
}

/** Whether the index meets all conditions. */
function isIndexed({ status, productId, endsFrom, endsBefore }: ServiceFilter, by: ServiceOrder): boolean {
  if (productId !== undefined) return false
  if (by === "created") return true
  return status === undefined && (by === "ending" || (endsFrom === undefined && endsBefore === undefined))
}

function matches({ status, productId, endsFrom, endsBefore }: ServiceFilter) {
  return (service: ServiceListItem): boolean => {
    const end = service.paidUntil ?? Number.POSITIVE_INFINITY
    return (
      (status === undefined || service.status === status) &&
      (productId === undefined || service.productId === productId) &&
      (endsFrom === undefined || end >= endsFrom) &&
      (endsBefore === undefined || end < endsBefore)
    )
  }
}

export const serviceFilterFields = ["status", "product", "endsFrom", "endsBefore", "late"] as const
export type ServiceFilterField = (typeof serviceFilterFields)[number]

export type ServiceQuery = {
  readonly filter: ServiceFilter
  /** Fields whose text is not valid: they filter nothing. */
  readonly invalid: readonly ServiceFilterField[]
}

type Calendar = { readonly timeZone: string; readonly now: Instant }

/** The filter of an address or a form. `timeZone`: of the days. */
export function serviceQueryIn(
  textOf: (field: ServiceFilterField) => string,
  { timeZone, now }: Calendar,
): ServiceQuery {
  const parsed = {
    status: serviceStatuses.find((it) => it.toLowerCase() === textOf("status").toLowerCase()),
    product: textOf("product").trim() || undefined,
    endsFrom: startOfDay(textOf("endsFrom"), timeZone),
    endsBefore: startOfDay(textOf("endsBefore"), timeZone),
    late: textOf("late") === "" ? undefined : now - STEP_LATE_AFTER,
  }
  const { product, late, ...rest } = parsed
  return {
    filter: { ...rest, productId: product, stepBefore: late },
    invalid: serviceFilterFields.filter((it) => textOf(it).trim() !== "" && parsed[it] === undefined),
  }
}

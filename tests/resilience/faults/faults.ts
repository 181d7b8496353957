import { DAY, HOUR } from "~/domain/calendar"
import type { FaultyShop, LineName } from "./fault-injected-shop"
import { type Call, type Fault, faults } from "./http-fault-proxy"
import type { Journey } from "./journey"

/** Something that goes wrong on somebody's way. */
export type InjectedFault = {
  readonly name: string
  /** Troubles of one kind are the same to the shop, whoever is on his way. */
  readonly kind: string
  /** What goes wrong, wherever it does. */
  readonly fault: string
  /** Begins before the step of this number. */
  readonly before: number
  /** Nobody can get what he came for after it: his time is over. */
  readonly isTooLate?: boolean
  begin(shop: FaultyShop): Promise<void> | void
  mend(shop: FaultyShop): Promise<void> | void
}

/** A call as a journey makes it where nothing goes wrong. */
export type ObservedCall = { readonly line: LineName; readonly call: Call }

/** Every fault of a call: of that one only, and of all from there on until somebody mends it. */
export function httpFaults({ line, call }: ObservedCall): readonly InjectedFault[] {
  return faults.flatMap((fault) => [true, false].map((lasts) => httpFault({ line, call }, fault, lasts)))
}

function httpFault({ line, call }: ObservedCall, fault: Fault, lasts: boolean): InjectedFault {
  const isMeant = (number: number) => (lasts ? number >= call.number : number === call.number)
  return {
    name: `${line}: ${fault} ${lasts ? "from" : "at"} call ${call.number} (${call.what})`,
    kind: `${line} ${call.what} ${fault}`,
    fault,
    before: 0,
    begin: ({ lines }) => lines[line].spoil(({ number }) => (isMeant(number) ? fault : null)),
    mend: ({ lines }) => lines[line].spoil(() => null),
  }
}

/** Jumps of everybody's clock, and of the shop's own, which is right again when somebody has looked after it. */
const jumps = { "an hour on": HOUR, "a day on": DAY, "an hour back": -HOUR, "a day back": -DAY }

/** Clocks that jump and disks that are full, before each step. */
export function infrastructureFaults({ steps }: Journey): readonly InjectedFault[] {
  return steps.flatMap(({ name }, before) => [
    ...Object.entries(jumps).flatMap(([jump, by]) => [
      {
        name: `every clock goes ${jump} before "${name}"`,
        kind: `clocks ${jump}`,
        fault: `clocks ${jump}`,
        before,
        isTooLate: Math.abs(by) === DAY,
        ...{ begin: (shop: FaultyShop) => shop.wait(by), mend: () => {} },
      },
      {
        name: `the shop's clock is ${jump} from "${name}"`,
        kind: `shop's clock ${jump}`,
        fault: `shop's clock ${jump}`,
        before,
        isTooLate: Math.abs(by) === DAY,
        ...{ begin: (shop: FaultyShop) => shop.goWrong(by), mend: (shop: FaultyShop) => shop.goWrong(0) },
      },
    ]),
    {
      name: `the disk is full from "${name}"`,
      kind: `disk ${name}`,
      fault: "disk",
      before,
      begin: (shop: FaultyShop) => shop.fillDisk(true),
      mend: (shop: FaultyShop) => shop.fillDisk(false),
    },
  ])
}

import { type PhpValue, phpSerialize } from "~/http/php-serialize"

/** A map as WHMCS takes configurable options and custom fields: `base64(serialize(map))` (reference, section 4). */
export function encodedMap(map: ReadonlyMap<string, PhpValue>): string {
  return Buffer.from(phpSerialize(map), "utf8").toString("base64")
}

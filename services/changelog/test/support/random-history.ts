import { Seeded } from "@storefront/testkit";
import { remove, upsert } from "./changelog-fixture.ts";
import type { Observation } from "./changelog-fixture.ts";

/**
 * Observations of few records, so that each is added, moved and deleted several times. Each is made a second after
 * the previous one.
 *
 * @param seed determines the history
 */
export function* randomHistory(seed: number): Generator<Observation, never> {
  const random = new Seeded(seed);
  const pick = (prefix: string, choices: number) => `${prefix}${random.below(choices)}`;
  for (let n = 0; ; n++) {
    const isGone = random.chance(0.2);
    const title = `t${n}`;
    const namespace = pick("ns", 3);
    const id = pick("r", 6);
    switch (random.below(6)) {
      case 0:
        yield isGone
          ? remove("sandbox", n, { id: namespace })
          : upsert("sandbox", n, { id: namespace, title });
        break;
      case 1: {
        const releaseInfo = [{ id: "r", appId: pick("app", 4) }];
        yield isGone
          ? remove("item", n, { id })
          : upsert("item", n, { id, namespace, title, releaseInfo });
        break;
      }
      case 2: {
        const identity = { artifactId: pick("app", 4), platform: "Windows", namespace };
        const asset = { ...identity, itemId: pick("r", 6), downloadSizeBytes: n };
        yield isGone ? remove("asset", n, identity) : upsert("asset", n, asset);
        break;
      }
      case 3: {
        const build = { id, appName: pick("app", 4), hash: `${n}` };
        yield isGone ? remove("build", n, { id }) : upsert("build", n, build);
        break;
      }
      default:
        yield isGone ? remove("offer", n, { id }) : upsert("offer", n, { id, namespace, title });
    }
  }
}

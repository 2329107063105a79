import type { Genre } from "../genre.ts";
import { phrases, words } from "../list.ts";

export const platformer: Genre = {
  key: "platformer",
  name: "platformer",
  tags: ["Platformer", "Action", "Indie", "Cute", "Pixel Art", "Family Friendly"],
  minimumAge: 0,
  adjectives: words(`
    Bouncing Pocket Topsy-Turvy Springy Wobbly Upward Tiny Rubbery Patchwork Pixelled
    Leaping Lopsided
  `),
  nouns: words(`
    Hopper Acorn Trampoline Sock Ledge Balloon Marmot Snail Button Pogo Whirligig Puddle
    Sprocket Somersault
  `),
  moods: words("joyful nimble colourful bouncy pixel-perfect"),
  heroes: phrases(`
    a very round squirrel
    a lost left sock
    a clockwork frog
    two siblings tied together with string
    a runaway balloon
  `),
  goals: phrases(`
    jump, dash and bounce home
    rescue ninety-nine snails
    collect every golden button
    outrun a rising flood of jam
    climb to the top of the laundry pile
    learn the double jump the hard way
  `),
  places: phrases(`
    through a patchwork kingdom
    across the rooftops of a toy town
    inside a giant greenhouse
    up a tower of teacups
    in the pockets of a sleeping giant
    over clouds made of wool
  `),
  threats: phrases(`
    spikes wait wherever you want to land
    the floor takes turns disappearing
    a grumpy badger guards the cheese
    the music speeds up and so do you
    everything bounces except you
  `),
  features: phrases(`
    Precise controls: if you fall, it was you
    Sixty levels with secret exits and silly hats
    Two-player co-op on one sofa or online
    An assist mode that lets everybody reach the end
    Hand-drawn pixel art and a whistling soundtrack
    Speedrun clock and ghosts for the brave
  `),
  addOns: phrases(`
    Silly Hats
    Moonlight Levels
    The Badger's Revenge
    Extra Springs
    Sock Drawer
    Tower of Teacups
  `),
  currency: "Golden Buttons",
  praise: phrases(`
    Jumping feels perfect and the levels are full of secrets.
    Played it with my daughter on the sofa, we laughed the whole way.
    Colourful, bouncy and just hard enough.
  `),
  complaints: phrases(`
    The last world is far too hard for its cheerful look.
    Slippery controls on ice levels, and there are many ice levels.
    Cute, but three hours long.
  `),
};

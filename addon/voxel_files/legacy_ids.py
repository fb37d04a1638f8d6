# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials by the numbers that blocks had before Minecraft 1.13, under the names of 1.13.

Compared in whole with the table of minecraft-data (PrismarineJS, MIT). A number has four bits of
data beside it; where they say nothing of the material, they are left out here.
"""

from __future__ import annotations

_COLOURS = (
    *("white", "orange", "magenta", "light_blue", "yellow", "lime", "pink", "gray"),
    *("light_gray", "cyan", "purple", "blue", "brown", "green", "red", "black"),
)

# Blocks of sixteen colours, the data being the colour.
_COLOURED = {
    35: "wool",
    95: "stained_glass",
    159: "terracotta",
    160: "stained_glass_pane",
    171: "carpet",
    251: "concrete",
    252: "concrete_powder",
}

# Blocks whose data tell their material: number -> by data; others are as the first.
_BY_DATA: dict[int, dict[int, str]] = {
    1: {
        0: "stone", 1: "granite", 2: "polished_granite", 3: "diorite", 4: "polished_diorite",
        5: "andesite", 6: "polished_andesite",
    },
    3: {
        0: "dirt", 1: "coarse_dirt", 2: "podzol",
    },
    5: {
        0: "oak_planks", 1: "spruce_planks", 2: "birch_planks", 3: "jungle_planks",
        4: "acacia_planks", 5: "dark_oak_planks",
    },
    6: {
        0: "oak_sapling", 1: "spruce_sapling", 2: "birch_sapling", 3: "jungle_sapling",
        4: "acacia_sapling", 5: "dark_oak_sapling", 8: "oak_sapling", 9: "spruce_sapling",
        10: "birch_sapling", 11: "jungle_sapling", 12: "acacia_sapling", 13: "dark_oak_sapling",
    },
    12: {
        0: "sand", 1: "red_sand",
    },
    17: {
        0: "oak_log", 1: "spruce_log", 2: "birch_log", 3: "jungle_log", 4: "oak_log",
        5: "spruce_log", 6: "birch_log", 7: "jungle_log", 8: "oak_log", 9: "spruce_log",
        10: "birch_log", 11: "jungle_log", 12: "oak_wood", 13: "spruce_wood", 14: "birch_wood",
        15: "jungle_wood",
    },
    18: {
        0: "oak_leaves", 1: "spruce_leaves", 2: "birch_leaves", 3: "jungle_leaves",
        4: "oak_leaves", 5: "spruce_leaves", 6: "birch_leaves", 7: "jungle_leaves",
        8: "oak_leaves", 9: "spruce_leaves", 10: "birch_leaves", 11: "jungle_leaves",
        12: "oak_leaves", 13: "spruce_leaves", 14: "birch_leaves", 15: "jungle_leaves",
    },
    19: {
        0: "sponge", 1: "wet_sponge",
    },
    24: {
        0: "sandstone", 1: "chiseled_sandstone", 2: "cut_sandstone",
    },
    31: {
        0: "dead_bush", 1: "grass", 2: "fern",
    },
    38: {
        0: "poppy", 1: "blue_orchid", 2: "allium", 3: "azure_bluet", 4: "red_tulip",
        5: "orange_tulip", 6: "white_tulip", 7: "pink_tulip", 8: "oxeye_daisy",
    },
    43: {
        0: "stone_slab", 1: "sandstone_slab", 2: "petrified_oak_slab", 3: "cobblestone_slab",
        4: "brick_slab", 5: "stone_brick_slab", 6: "nether_brick_slab", 7: "quartz_slab",
        8: "smooth_stone", 9: "smooth_sandstone", 10: "petrified_oak_slab",
        11: "cobblestone_slab", 12: "brick_slab", 13: "stone_brick_slab",
        14: "nether_brick_slab", 15: "smooth_quartz",
    },
    44: {
        0: "stone_slab", 1: "sandstone_slab", 2: "petrified_oak_slab", 3: "cobblestone_slab",
        4: "brick_slab", 5: "stone_brick_slab", 6: "nether_brick_slab", 7: "quartz_slab",
        8: "stone_slab", 9: "sandstone_slab", 10: "petrified_oak_slab", 11: "cobblestone_slab",
        12: "brick_slab", 13: "stone_brick_slab", 14: "nether_brick_slab", 15: "quartz_slab",
    },
    50: {
        1: "wall_torch", 2: "wall_torch", 3: "wall_torch", 4: "wall_torch", 5: "torch",
    },
    75: {
        1: "redstone_wall_torch", 2: "redstone_wall_torch", 3: "redstone_wall_torch",
        4: "redstone_wall_torch", 5: "redstone_torch",
    },
    76: {
        1: "redstone_wall_torch", 2: "redstone_wall_torch", 3: "redstone_wall_torch",
        4: "redstone_wall_torch", 5: "redstone_torch",
    },
    97: {
        0: "infested_stone", 1: "infested_cobblestone", 2: "infested_stone_bricks",
        3: "infested_mossy_stone_bricks", 4: "infested_cracked_stone_bricks",
        5: "infested_chiseled_stone_bricks",
    },
    98: {
        0: "stone_bricks", 1: "mossy_stone_bricks", 2: "cracked_stone_bricks",
        3: "chiseled_stone_bricks",
    },
    99: {
        0: "brown_mushroom_block", 1: "brown_mushroom_block", 2: "brown_mushroom_block",
        3: "brown_mushroom_block", 4: "brown_mushroom_block", 5: "brown_mushroom_block",
        6: "brown_mushroom_block", 7: "brown_mushroom_block", 8: "brown_mushroom_block",
        9: "brown_mushroom_block", 10: "mushroom_stem", 14: "brown_mushroom_block",
        15: "mushroom_stem",
    },
    100: {
        0: "red_mushroom_block", 1: "red_mushroom_block", 2: "red_mushroom_block",
        3: "red_mushroom_block", 4: "red_mushroom_block", 5: "red_mushroom_block",
        6: "red_mushroom_block", 7: "red_mushroom_block", 8: "red_mushroom_block",
        9: "red_mushroom_block", 10: "mushroom_stem", 14: "red_mushroom_block",
        15: "mushroom_stem",
    },
    125: {
        0: "oak_slab", 1: "spruce_slab", 2: "birch_slab", 3: "jungle_slab", 4: "acacia_slab",
        5: "dark_oak_slab",
    },
    126: {
        0: "oak_slab", 1: "spruce_slab", 2: "birch_slab", 3: "jungle_slab", 4: "acacia_slab",
        5: "dark_oak_slab", 8: "oak_slab", 9: "spruce_slab", 10: "birch_slab", 11: "jungle_slab",
        12: "acacia_slab", 13: "dark_oak_slab",
    },
    139: {
        0: "cobblestone_wall", 1: "mossy_cobblestone_wall",
    },
    140: {
        0: "flower_pot", 1: "potted_poppy", 2: "potted_dandelion", 3: "potted_oak_sapling",
        4: "potted_spruce_sapling", 5: "potted_birch_sapling", 6: "potted_jungle_sapling",
        7: "potted_red_mushroom", 8: "potted_brown_mushroom", 9: "potted_cactus",
        10: "potted_dead_bush", 11: "potted_fern", 12: "potted_acacia_sapling",
        13: "potted_dark_oak_sapling", 14: "potted_blue_orchid", 15: "potted_allium",
    },
    144: {
        0: "skeleton_skull", 1: "skeleton_skull", 2: "skeleton_wall_skull",
        3: "skeleton_wall_skull", 4: "skeleton_wall_skull", 5: "skeleton_wall_skull",
        8: "skeleton_skull", 9: "skeleton_skull", 10: "skeleton_wall_skull",
        11: "skeleton_wall_skull", 12: "skeleton_wall_skull", 13: "skeleton_wall_skull",
    },
    145: {
        0: "anvil", 1: "anvil", 2: "anvil", 3: "anvil", 4: "chipped_anvil", 5: "chipped_anvil",
        6: "chipped_anvil", 7: "chipped_anvil", 8: "damaged_anvil", 9: "damaged_anvil",
        10: "damaged_anvil", 11: "damaged_anvil",
    },
    155: {
        0: "quartz_block", 1: "chiseled_quartz_block", 2: "quartz_pillar", 3: "quartz_pillar",
        4: "quartz_pillar", 6: "quartz_pillar", 10: "quartz_pillar",
    },
    161: {
        0: "acacia_leaves", 1: "dark_oak_leaves", 4: "acacia_leaves", 5: "dark_oak_leaves",
        8: "acacia_leaves", 9: "dark_oak_leaves", 12: "acacia_leaves", 13: "dark_oak_leaves",
    },
    162: {
        0: "acacia_log", 1: "dark_oak_log", 4: "acacia_log", 5: "dark_oak_log", 8: "acacia_log",
        9: "dark_oak_log", 12: "acacia_wood", 13: "dark_oak_wood",
    },
    168: {
        0: "prismarine", 1: "prismarine_bricks", 2: "dark_prismarine",
    },
    175: {
        0: "sunflower", 1: "lilac", 2: "tall_grass", 3: "large_fern", 4: "rose_bush", 5: "peony",
        8: "sunflower", 9: "lilac", 10: "tall_grass", 11: "large_fern", 12: "rose_bush",
        13: "peony",
    },
    179: {
        0: "red_sandstone", 1: "chiseled_red_sandstone", 2: "cut_red_sandstone",
    },
    181: {
        0: "red_sandstone_slab", 8: "smooth_red_sandstone",
    },
}  # fmt: skip

_ONE = {
    0: "air", 2: "grass_block", 4: "cobblestone", 7: "bedrock", 8: "water", 9: "water",
    10: "lava", 11: "lava", 13: "gravel", 14: "gold_ore", 15: "iron_ore", 16: "coal_ore",
    20: "glass", 21: "lapis_ore", 22: "lapis_block", 23: "dispenser", 25: "note_block",
    26: "red_bed", 27: "powered_rail", 28: "detector_rail", 29: "sticky_piston", 30: "cobweb",
    32: "dead_bush", 33: "piston", 34: "piston_head", 36: "moving_piston", 37: "dandelion",
    39: "brown_mushroom", 40: "red_mushroom", 41: "gold_block", 42: "iron_block", 45: "bricks",
    46: "tnt", 47: "bookshelf", 48: "mossy_cobblestone", 49: "obsidian", 51: "fire",
    52: "spawner", 53: "oak_stairs", 54: "chest", 55: "redstone_wire", 56: "diamond_ore",
    57: "diamond_block", 58: "crafting_table", 59: "wheat", 60: "farmland", 61: "furnace",
    62: "furnace", 63: "sign", 64: "oak_door", 65: "ladder", 66: "rail",
    67: "cobblestone_stairs", 68: "wall_sign", 69: "lever", 70: "stone_pressure_plate",
    71: "iron_door", 72: "oak_pressure_plate", 73: "redstone_ore", 74: "redstone_ore",
    77: "stone_button", 78: "snow", 79: "ice", 80: "snow_block", 81: "cactus", 82: "clay",
    83: "sugar_cane", 84: "jukebox", 85: "oak_fence", 86: "carved_pumpkin", 87: "netherrack",
    88: "soul_sand", 89: "glowstone", 90: "nether_portal", 91: "jack_o_lantern", 92: "cake",
    93: "repeater", 94: "repeater", 96: "oak_trapdoor", 101: "iron_bars", 102: "glass_pane",
    103: "melon", 104: "pumpkin_stem", 105: "melon_stem", 106: "vine", 107: "oak_fence_gate",
    108: "brick_stairs", 109: "stone_brick_stairs", 110: "mycelium", 111: "lily_pad",
    112: "nether_bricks", 113: "nether_brick_fence", 114: "nether_brick_stairs",
    115: "nether_wart", 116: "enchanting_table", 117: "brewing_stand", 118: "cauldron",
    119: "end_portal", 120: "end_portal_frame", 121: "end_stone", 122: "dragon_egg",
    123: "redstone_lamp", 124: "redstone_lamp", 127: "cocoa", 128: "sandstone_stairs",
    129: "emerald_ore", 130: "ender_chest", 131: "tripwire_hook", 132: "tripwire",
    133: "emerald_block", 134: "spruce_stairs", 135: "birch_stairs", 136: "jungle_stairs",
    137: "command_block", 138: "beacon", 141: "carrots", 142: "potatoes", 143: "oak_button",
    146: "trapped_chest", 147: "light_weighted_pressure_plate",
    148: "heavy_weighted_pressure_plate", 149: "comparator", 150: "comparator",
    151: "daylight_detector", 152: "redstone_block", 153: "nether_quartz_ore", 154: "hopper",
    156: "quartz_stairs", 157: "activator_rail", 158: "dropper", 163: "acacia_stairs",
    164: "dark_oak_stairs", 165: "slime_block", 166: "barrier", 167: "iron_trapdoor",
    169: "sea_lantern", 170: "hay_block", 172: "terracotta", 173: "coal_block",
    174: "packed_ice", 176: "white_banner", 177: "white_wall_banner", 178: "daylight_detector",
    180: "red_sandstone_stairs", 182: "red_sandstone_slab", 183: "spruce_fence_gate",
    184: "birch_fence_gate", 185: "jungle_fence_gate", 186: "dark_oak_fence_gate",
    187: "acacia_fence_gate", 188: "spruce_fence", 189: "birch_fence", 190: "jungle_fence",
    191: "dark_oak_fence", 192: "acacia_fence", 193: "spruce_door", 194: "birch_door",
    195: "jungle_door", 196: "acacia_door", 197: "dark_oak_door", 198: "end_rod",
    199: "chorus_plant", 200: "chorus_flower", 201: "purpur_block", 202: "purpur_pillar",
    203: "purpur_stairs", 204: "purpur_slab", 205: "purpur_slab", 206: "end_stone_bricks",
    207: "beetroots", 208: "grass_path", 209: "end_gateway", 210: "repeating_command_block",
    211: "chain_command_block", 212: "frosted_ice", 213: "magma_block", 214: "nether_wart_block",
    215: "red_nether_bricks", 216: "bone_block", 217: "structure_void", 218: "observer",
    219: "white_shulker_box", 220: "orange_shulker_box", 221: "magenta_shulker_box",
    222: "light_blue_shulker_box", 223: "yellow_shulker_box", 224: "lime_shulker_box",
    225: "pink_shulker_box", 226: "gray_shulker_box", 227: "light_gray_shulker_box",
    228: "cyan_shulker_box", 229: "purple_shulker_box", 230: "blue_shulker_box",
    231: "brown_shulker_box", 232: "green_shulker_box", 233: "red_shulker_box",
    234: "black_shulker_box", 235: "white_glazed_terracotta", 236: "orange_glazed_terracotta",
    237: "magenta_glazed_terracotta", 238: "light_blue_glazed_terracotta",
    239: "yellow_glazed_terracotta", 240: "lime_glazed_terracotta",
    241: "pink_glazed_terracotta", 242: "gray_glazed_terracotta",
    243: "light_gray_glazed_terracotta", 244: "cyan_glazed_terracotta",
    245: "purple_glazed_terracotta", 246: "blue_glazed_terracotta",
    247: "brown_glazed_terracotta", 248: "green_glazed_terracotta", 249: "red_glazed_terracotta",
    250: "black_glazed_terracotta", 255: "structure_block",
}  # fmt: skip


def material(number: int, data: int) -> str | None:
    """The material of a block, ``None`` for a number that the game never gave away.

    ``number`` is 0 to 4095, ``data`` 0 to 15.
    """
    if number in _ONE:
        return _ONE[number]
    if number in _COLOURED:
        return f"{_COLOURS[data]}_{_COLOURED[number]}"
    kinds = _BY_DATA.get(number)
    if kinds is None:
        return None
    return kinds.get(data, next(iter(kinds.values())))

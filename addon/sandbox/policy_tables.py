# SPDX-License-Identifier: GPL-3.0-or-later
"""What a program may use: the tables of the policy, each with the reason for its lines.

Names of operators and collections are those of Blender 4.2 to 5.2; of modules those of Python 3.11
to 3.14 and NumPy 1.24 to 2.5.
"""

from __future__ import annotations

from collections.abc import Mapping

from .policy_remedies import FILES, INSIDE, LASTING


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Everything public of a module; one entry ``-name`` takes a name out again.
ALL = frozenset({"*"})

# NumPy's own files, compilers, raw memory, and modules that lead to those of Python.
_NUMPY_WITHOUT = _names(
    "load save savez savez_compressed loadtxt savetxt genfromtxt fromfile fromregex memmap "
    "DataSource source info lookfor show_config show_runtime get_include deprecate test "
    "ctypeslib f2py distutils testing core lib compat math sys os builtins warnings matlib "
    "version dtypes exceptions conftest tests doc setup array_api emath char rec strings typing"
)

#: Module -> what of it may be used. A submodule is allowed only by an entry of its own.
IMPORTS: Mapping[str, frozenset[str]] = {
    # Blender: `bpy` has tables of its own below.
    "bpy": frozenset(),
    "bpy_extras": frozenset(),
    "bpy_extras.object_utils": _names("object_data_add world_to_camera_view"),
    "bpy_extras.mesh_utils": _names(
        "mesh_linked_uv_islands mesh_linked_triangles edge_face_count edge_face_count_dict "
        "edge_loops_from_edges ngon_tessellate triangle_random_points"
    ),
    "bmesh": ALL,
    "bmesh.ops": ALL,
    "bmesh.types": ALL,
    "bmesh.geometry": ALL,
    "bmesh.utils": ALL,
    "mathutils": ALL,
    "mathutils.geometry": ALL,
    "mathutils.kdtree": ALL,
    "mathutils.bvhtree": ALL,
    "mathutils.noise": ALL,
    "mathutils.interpolate": ALL,
    # Numbers.
    "math": ALL,
    "cmath": ALL,
    "numpy": ALL | {f"-{name}" for name in _NUMPY_WITHOUT},
    "numpy.linalg": ALL | {"-linalg"},
    "numpy.fft": ALL | {"-helper"},
    "numpy.random": ALL | {"-mtrand", "-bit_generator"},
    "numpy.polynomial": ALL,
    "numpy.polynomial.polynomial": _names("polyfit polyval polyroots polyadd polymul Polynomial"),
    "numpy.ma": ALL | {"-core", "-extras", "-testutils", "-mrecords", "-dump", "-dumps"},
    "numpy.typing": _names("NDArray ArrayLike DTypeLike"),
    "numpy.lib": _names("stride_tricks"),
    # Its as_strided reads memory that isn't the array's.
    "numpy.lib.stride_tricks": _names("sliding_window_view broadcast_to broadcast_arrays"),
    "random": _names(
        "Random betavariate choice choices expovariate gammavariate gauss getrandbits getstate "
        "lognormvariate normalvariate paretovariate randbytes randint random randrange sample seed "
        "setstate shuffle triangular uniform vonmisesvariate weibullvariate binomialvariate"
    ),
    "statistics": _names(
        "NormalDist StatisticsError correlation covariance fmean geometric_mean harmonic_mean "
        "linear_regression mean median median_grouped median_high median_low mode multimode pstdev "
        "pvariance quantiles stdev variance"
    ),
    "fractions": _names("Fraction"),
    "decimal": ALL,
    "numbers": _names("Number Complex Real Rational Integral"),
    "colorsys": _names("rgb_to_yiq yiq_to_rgb rgb_to_hls hls_to_rgb rgb_to_hsv hsv_to_rgb"),
    # Data and control.
    "itertools": ALL,
    # Without singledispatch, which evaluates annotations.
    "functools": _names(
        "update_wrapper wraps total_ordering cache cmp_to_key lru_cache reduce partial "
        "partialmethod cached_property"
    ),
    "collections": _names(
        "ChainMap Counter OrderedDict UserDict UserList UserString defaultdict deque namedtuple abc"
    ),
    "collections.abc": ALL,
    # Without make_dataclass and namedtuple's kin that write code from texts.
    "dataclasses": _names(
        "dataclass field Field FrozenInstanceError InitVar KW_ONLY MISSING fields asdict astuple "
        "replace is_dataclass"
    ),
    # Without get_type_hints and ForwardRef, which evaluate texts.
    "typing": _names(
        "Annotated Any AnyStr Callable ClassVar Collection Concatenate Container Counter "
        "DefaultDict Deque Dict Final FrozenSet Generator Generic Hashable ItemsView Iterable "
        "Iterator KeysView List Literal LiteralString Mapping MutableMapping MutableSequence "
        "MutableSet NamedTuple Never NewType NoReturn NotRequired Optional OrderedDict ParamSpec "
        "Protocol Required Reversible Self Sequence Set Sized SupportsFloat SupportsInt Text Tuple "
        "Type TYPE_CHECKING TypeAlias TypedDict TypeVar TypeVarTuple Union Unpack ValuesView cast "
        "final get_args get_origin overload override runtime_checkable assert_never"
    ),
    "enum": _names("Enum IntEnum StrEnum Flag IntFlag auto unique"),
    "abc": _names("ABC ABCMeta abstractmethod abstractclassmethod abstractstaticmethod"),
    "types": _names("SimpleNamespace MappingProxyType"),
    # Without attrgetter and methodcaller, which are getattr by another name.
    "operator": _names(
        "abs add and_ concat contains countOf eq floordiv ge getitem gt index indexOf inv invert "
        "is_ is_not itemgetter le lshift lt matmul mod mul ne neg not_ or_ pos pow rshift setitem "
        "sub truediv truth xor"
    ),
    "heapq": _names("heappush heappop heapify heapreplace merge nlargest nsmallest heappushpop"),
    "bisect": _names("bisect bisect_left bisect_right insort insort_left insort_right"),
    "graphlib": _names("TopologicalSorter CycleError"),
    "copy": _names("copy deepcopy replace"),
    "contextlib": _names("contextmanager suppress nullcontext closing ExitStack ContextDecorator"),
    # Text; without Formatter, which looks attributes up by text.
    "re": ALL | {"-copyreg", "-enum", "-functools", "-template"},
    "string": _names(
        "ascii_letters ascii_lowercase ascii_uppercase capwords digits hexdigits octdigits "
        "printable punctuation whitespace"
    ),
    "textwrap": _names("wrap fill dedent indent shorten"),
    "pprint": _names("pprint pformat pp"),
    "json": _names("dumps loads JSONDecodeError"),
    "struct": _names("calcsize pack unpack iter_unpack"),
    "uuid": _names("UUID uuid4 uuid5 NAMESPACE_DNS NAMESPACE_URL NAMESPACE_OID"),
    "hashlib": _names("md5 sha1 sha256 sha512 blake2b blake2s"),
    "io": _names("StringIO BytesIO"),
    # Reading the clock is fine; sleeping only eats the time that the program has.
    "time": _names(
        "time time_ns perf_counter perf_counter_ns monotonic monotonic_ns process_time strftime "
        "gmtime localtime"
    ),
    "datetime": _names("date datetime time timedelta timezone tzinfo UTC"),
    "traceback": _names("print_exc format_exc"),
    # Many programs begin with these two, use little of them, and mean no harm.
    "sys": _names("exit stdout stderr maxsize float_info version version_info platform"),
    "os": _names("path sep linesep name"),
    "os.path": _names("join basename dirname splitext normpath sep"),
    "warnings": _names("warn filterwarnings simplefilter catch_warnings"),
    "__future__": ALL,
}

#: Paths within bpy that may be used with everything below them; operators and data are apart.
BLENDER = frozenset(
    {
        "bpy.context",
        "bpy.types",
        "bpy.props",
        "bpy.utils.units",
        "bpy.utils.escape_identifier",
        "bpy.utils.flip_name",
        "bpy.utils.time_from_frame",
        "bpy.utils.time_to_frame",
        "bpy.path.basename",
        "bpy.path.clean_name",
        "bpy.path.display_name",
        "bpy.path.ensure_ext",
        "bpy.app.version",
        "bpy.app.version_string",
        "bpy.app.version_file",
        "bpy.app.version_cycle",
        "bpy.app.background",
        "bpy.app.build_options",
        "bpy.app.build_platform",
        "bpy.app.module",
        "bpy.app.debug",
    }
)

#: Collections and functions of bpy.data. What reads files, runs texts or belongs to the window and
#: the person is left out.
DATA = _names(
    "actions annotations armatures batch_remove bl_rna cameras collections curves filepath fonts "
    "grease_pencils hair_curves images is_dirty is_saved lattices lightprobes lights linestyles "
    "materials meshes metaballs node_groups objects orphans_purge palettes particles pointclouds "
    "rna_type scenes shape_keys speakers textures user_map version worlds"
)

#: Operators by ``subtree.name``, with ``*`` as the last part for a whole subtree; ``-`` takes out.
OPERATORS = frozenset(
    {
        *("mesh.*", "object.*", "transform.*", "curve.*", "curves.*", "collection.*"),
        *("material.*", "uv.*", "view3d.*", "node.*", "geometry.*", "surface.*", "mball.*"),
        *("lattice.*", "font.*", "armature.*", "constraint.*", "rigidbody.*", "pose.*"),
        *("outliner.orphans_purge", "ed.undo_push", "image.new", "texture.new", "world.new"),
        *("anim.keyframe_insert", "anim.keyframe_insert_by_name", "anim.keyframe_delete"),
        *("anim.change_frame", "particle.new", "scene.view_layer_add"),
        # They read or write files.
        *("-object.bake", "-object.bake_image", "-object.empty_image_add", "-object.volume_import"),
        *("-object.load_reference_image", "-object.load_background_image", "-object.ocean_bake"),
        *("-object.multires_external_save", "-object.multires_external_pack"),
        *("-object.drop_named_image", "-object.collection_external_asset_drop"),
        *("-object.simulation_nodes_cache_bake", "-object.geometry_node_bake_single"),
        *("-object.geometry_node_bake_pack_single", "-object.geometry_node_bake_unpack_single"),
        *("-object.simulation_nodes_cache_delete", "-object.geometry_node_bake_delete_single"),
        *("-collection.exporter_export", "-collection.export_all", "-collection.exporter_add"),
        *("-uv.export_layout", "-view3d.camera_background_image_add", "-view3d.copybuffer"),
        *("-view3d.pastebuffer", "-node.add_image", "-node.add_import_node", "-node.add_mask"),
        *("-node.shader_script_update", "-node.render_changed", "-node.add_group_asset"),
        *("-node.swap_group_asset", "-font.open", "-font.text_paste_from_file", "-font.unlink"),
        *("-pose.copy", "-pose.paste", "-object.modifier_add_node_group"),
        *("-geometry.execute_node_group",),
        # Fluids end the process of several Blenders.
        *("-object.quick_smoke", "-object.quick_liquid"),
    }
)

#: Built-in functions that may not be named at all, with what to do instead.
NAMES: Mapping[str, str] = {
    "eval": "write the expression itself",
    "exec": "write the statements themselves",
    "compile": "write the code itself",
    "open": "the scene is kept for you and no file is needed; call a variable of yours otherwise",
    "__import__": "write an import statement",
    "getattr": "write the attribute itself, obj.name",
    "setattr": "write the assignment itself, obj.name = value",
    "delattr": "write del obj.name",
    "globals": "keep values in variables or in a dictionary of your own",
    "locals": "keep values in variables or in a dictionary of your own",
    "vars": "write the attributes that you need",
    "breakpoint": "print what you want to see",
    "input": "nobody can answer here; write the value into the program",
    "help": "print what you want to see",
    "exit": "let the program run to its end, or return from a function",
    "quit": "let the program run to its end, or return from a function",
}

#: Functions that take an attribute's name as a text: allowed where that text can be read.
BY_TEXT = frozenset({"getattr", "setattr", "delattr", "hasattr"})

#: Names between two underscores that do no harm, as names, attributes and texts.
DUNDERS = frozenset(
    f"__{name}__"
    for name in _names(
        "name main file doc class init post_init version author all slots future annotations "
        "str repr len eq ne lt le gt ge hash iter next enter exit call contains getitem setitem "
        "add sub mul truediv neg abs bool int float index matmul"
    )
)

#: Attributes with one underscore that are documented and do no harm (those of named tuples).
UNDERSCORES = frozenset({"_replace", "_asdict", "_fields", "_make", "_field_defaults"})


#: Attribute -> (rule, what to do instead), whatever it is an attribute of.
ATTRIBUTES: Mapping[str, tuple[str, str]] = {
    **dict.fromkeys(
        _names(
            "gi_frame gi_code gi_yieldfrom cr_frame cr_code cr_await ag_frame ag_code f_globals "
            "f_locals f_builtins f_back f_code tb_frame tb_next tb_lasti co_code co_consts "
            "func_globals func_code mro exec eval popen "
            "os sys builtins codecs subprocess importlib ctypes socket shutil posix inspect"
        ),
        ("inside", INSIDE),
    ),
    **dict.fromkeys(
        _names(
            "as_module execfile load loads_pickle load_scripts save save_render save_as unpack "
            "tofile fromfile memmap dump ctypeslib ctypes reload libraries export_preset "
            "filepath_from_user load_library_register blend_paths packed_files"
        ),
        ("file", FILES),
    ),
    **dict.fromkeys(
        _names(
            "driver_add drivers driver_namespace handlers timers msgbus register_class "
            "unregister_class register_classes_factory register_tool register_cli_command "
            "draw_handler_add draw_handler_remove modal_handler_add event_timer_add keyconfigs "
            "keymaps publish_rna subscribe_rna register_submodule_factory"
        ),
        ("lasting", LASTING),
    ),
    **dict.fromkeys(
        _names("preferences clipboard fileselect_add addons"),
        ("outside", "settings, clipboard and extensions belong to the person, leave them alone"),
    ),
    **dict.fromkeys(
        _names("format_map vformat attrgetter methodcaller get_type_hints make_dataclass"),
        ("dynamic", "it looks names up by text, use an f-string or write the name itself"),
    ),
}

#: Attributes that may be read but not assigned, unless they are a render's own.
NOT_ASSIGNED = frozenset({"filepath", "filepath_raw", "base_path", "cache_directory"})

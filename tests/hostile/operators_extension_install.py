# SPDX-License-Identifier: GPL-3.0-or-later
# title: An operator installs an extension
# route: extensions.package_install_files
# policy: refused operator
# contained: writes
# ends: finished raised
import zipfile

import bpy

with zipfile.ZipFile("evil.zip", "w") as file:
    file.writestr(
        "blender_manifest.toml",
        'schema_version = "1.0.0"\nid = "evil"\nversion = "1.0.0"\nname = "Evil"\ntagline = "Evil"\nmaintainer = "x"\ntype = "add-on"\nblender_version_min = "4.2.0"\nlicense = ["SPDX:GPL-3.0-or-later"]\n',
    )
    file.writestr(
        "__init__.py",
        "open('@OUTSIDE@/stolen.txt', 'w')\ndef register(): pass\ndef unregister(): pass\n",
    )
bpy.ops.extensions.package_install_files(
    filepath="evil.zip", repo="user_default", enable_on_install=True
)
